"""The seed of a coup and the commitment to it: what the RNG promises before betting opens, and shows afterwards.

commitment = SHA-256("tapis/commitment/1" | seed, 32 bytes | id of the seed)

Nobody can find another seed with the same commitment, and the id says which coup it is for: a seed cannot be kept back
for a better moment. How values follow from a seed is in `libs.draws.mapping`.
"""

from hashlib import sha256

SEED_BYTES = 32
_DOMAIN = b"tapis/commitment/1"


def commitment_of(seed: bytes, seed_id: str) -> str:
    """Return the commitment to a seed, as 64 hex digits; raises `ValueError` for a seed of another length.

    >>> commitment_of(bytes(32), "seed:pit-1/T1/4/17")[:16]
    'a8f394987984ff56'
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return sha256(_DOMAIN + seed + seed_id.encode()).hexdigest()


def keeps(commitment: str, seed: str, seed_id: str) -> bool:
    """Tell whether a revealed seed (hex digits) is the one that was committed to.

    >>> keeps(commitment_of(bytes(32), "seed:pit-1/T1/4/17"), "00" * 32, "seed:pit-1/T1/4/17")
    True
    """
    try:
        return commitment_of(bytes.fromhex(seed), seed_id) == commitment
    except ValueError:
        return False
