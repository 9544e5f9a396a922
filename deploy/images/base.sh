#!/usr/bin/env bash
# Makes two images from Debian packages, so that no image registry is needed:
#   tapis-base:local   Python, its libraries, certificates and time zones; no shell, no package manager
#   tapis-build:local  the same with pip, for the build stage of deploy/Dockerfile
# Needs a Debian 12 host with apt lists (apt-get update), dpkg-deb and a Docker engine. Usage: deploy/images/base.sh
set -euo pipefail

packages=(
    base-files netbase media-types ca-certificates tzdata
    libc6 libgcc-s1 libcrypt1 zlib1g libbz2-1.0 liblzma5 libexpat1 libffi8 libssl3 libuuid1 libsqlite3-0
    libpython3.11-minimal libpython3.11-stdlib python3.11-minimal
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
root=$work/root
mkdir -p "$work/debs" "$root"

fetch_packages() {
    (cd "$work/debs" && apt-get -qq -o APT::Sandbox::User=root download "$@" >/dev/null)
    for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$root"; done
    rm "$work"/debs/*.deb
}

import_image() { # NAME: the root as it is now becomes one layer
    tar -C "$root" --numeric-owner --owner=0 --group=0 -c . |
        docker import -c 'ENV PATH=/usr/local/bin:/usr/bin:/bin' -c 'ENV LANG=C.UTF-8' - "$1" >/dev/null
    echo "made $1"
}

fetch_packages "${packages[@]}"
# What the packages' own scripts would have done.
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
ln -sf python3.11 "$root/usr/bin/python3"
ln -sf /usr/share/zoneinfo/UTC "$root/etc/localtime"
printf 'root:x:0:0:root:/root:/sbin/nologin\ntapis:x:10001:10001:tapis:/tmp:/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\ntapis:x:10001:\n' >"$root/etc/group"
mkdir -p "$root/tmp" "$root/proc" "$root/sys" "$root/dev"
chmod 1777 "$root/tmp"
rm -rf "$root"/usr/share/doc "$root"/usr/share/man "$root"/usr/share/lintian "$root"/usr/share/locale
import_image tapis-base:local

# Debian ships pip as a wheel, which Python can import as it lies there.
fetch_packages python3-pip-whl
wheel=$(cd "$root/usr/share/python-wheels" && echo pip-*.whl)
mkdir -p "$root/usr/lib/python3/dist-packages"
echo "/usr/share/python-wheels/$wheel" >"$root/usr/lib/python3/dist-packages/pip.pth"
import_image tapis-build:local
