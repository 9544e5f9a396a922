#!/usr/bin/env bash
# Makes tapis-redis:local from the redis-server of this machine (Debian: apt-get install redis-server), so that tests in
# containers need no image registry. Usage: deploy/images/redis.sh [NAME]
set -euo pipefail

name=${1:-tapis-redis:local}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -p "$root/usr/bin" "$root/data" "$root/tmp" "$root/proc" "$root/sys" "$root/dev" "$root/etc"
chmod 1777 "$root/tmp" "$root/data"

for program in redis-server redis-cli; do
    path=$(readlink -f "$(command -v "$program")")
    cp "$path" "$root/usr/bin/$program"
    # Every library is copied to the path at which the dynamic linker was told to look for it.
    ldd "$path" | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -nL "$library" "$root$library"
    done
done
printf 'root:x:0:0:root:/root:/sbin/nologin\nredis:x:999:999:redis:/data:/sbin/nologin\n' >"$root/etc/passwd"

# Not protected: a container's port is reached from outside it, and its network is the test's own.
tar -C "$root" --numeric-owner --owner=0 --group=0 -c . | docker import \
    -c 'ENV PATH=/usr/bin' -c 'WORKDIR /data' -c 'EXPOSE 6379' \
    -c 'ENTRYPOINT ["redis-server"]' -c 'CMD ["--protected-mode", "no"]' - "$name" >/dev/null
echo "made $name ($(redis-server --version | cut -d' ' -f3))"
