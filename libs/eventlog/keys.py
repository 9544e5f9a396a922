"""How the keys of a site are spelt in Redis.

All keys of a shard share one hash tag, so that its scripts stay in one slot of a Redis Cluster.

>>> log("valbonne", "pit-1", "T1/4")
'{valbonne:pit-1}:log:T1/4'
"""


def inbox(site: str, shard: str) -> str:
    """Return the key of the commands waiting for a shard (a stream, field `c`)."""
    return f"{{{site}:{shard}}}:inbox"


def log(site: str, shard: str, stream: str) -> str:
    """Return the key of a stream's events (a stream, field `e`, ids `<version>-0`)."""
    return f"{{{site}:{shard}}}:log:{stream}"


def feed(site: str, shard: str) -> str:
    """Return the key of a shard's published copies (a stream, field `f`)."""
    return f"{{{site}:{shard}}}:feed"


def meta(site: str, shard: str) -> str:
    """Return the key of what is known about a shard: owner, epoch, lease, cursor, attempts, heads, mark (a hash)."""
    return f"{{{site}:{shard}}}:meta"


def parked(site: str, shard: str) -> str:
    """Return the key of the commands that could not be handled (a stream, field `p`)."""
    return f"{{{site}:{shard}}}:parked"


def person_keys(site: str, shard: str) -> str:
    """Return the key of the locked keys of persons (a hash; the only key of ours from which anything is deleted)."""
    return f"{{{site}:{shard}}}:person-keys"


def person_index(site: str, shard: str) -> str:
    """Return the key of the pseudonyms by keyed hash of an identity (a hash, deleted from together with the keys)."""
    return f"{{{site}:{shard}}}:person-index"


def shards(site: str) -> str:
    """Return the key of the names of all shards that were ever owned (a set)."""
    return f"{{{site}}}:shards"


def members(site: str, service: str) -> str:
    """Return the key of the living processes of a service (a sorted set: name, end of life in ms)."""
    return f"{{{site}}}:members:{service}"
