"""The parts of a site's wallet: how many there are, what each is called, and where an account is at home.

A site with one wallet has the book `ledger` on the shard `wallet-0`. With more, players and tables are spread over them
by CRC-32 of their names, and each book says its place, so that the rules need no other word of it: `ledger-1of3`. The
number is fixed for the life of a site.
"""

from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from libs.kernel.ids import LEDGER


class Wallet(NamedTuple):
    """One part of the wallet: its shard, and the ledger that is kept there."""

    shard: str
    book: str


@lru_cache
def wallet_at(index: int, count: int) -> Wallet:
    """Return one of the parts, counted from 0.

    >>> wallet_at(0, 1), wallet_at(1, 3)
    (Wallet(shard='wallet-0', book='ledger'), Wallet(shard='wallet-1', book='ledger-1of3'))
    """
    return Wallet(f"wallet-{index}", LEDGER if count == 1 else f"{LEDGER}-{index}of{count}")


@lru_cache
def place_of(book: str) -> tuple[int, int]:
    """Return the index of a ledger among the parts, and how many there are.

    >>> place_of("ledger"), place_of("ledger-1of3")
    ((0, 1), (1, 3))
    """
    if "of" not in book.rpartition("-")[2]:
        return 0, 1
    index, _, count = book.rpartition("-")[2].partition("of")
    return int(index), int(count)


def index_of(name: str, count: int) -> int:
    """Return which part holds a player or a table."""
    return crc32(name.encode()) % count


def wallet_of(name: str, count: int) -> Wallet:
    """Return the part of the wallet that holds a player or a table."""
    return wallet_at(index_of(name, count), count)


def home_of(account: str, count: int) -> int | None:
    """Return the part where an account is at home; None for those that every part has its own of.

    >>> home_of("house:bank", 3), home_of("player:p", 3) == home_of("float:p", 3) == home_of("seat:p:7", 3)
    (None, True)
    """
    kind, _, rest = account.partition(":")
    match kind:
        case "player" | "float":
            return index_of(rest, count)
        case "seat":
            return index_of(rest.rpartition(":")[0], count)
        case _:
            return None
