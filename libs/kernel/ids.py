"""Names of shards, books, streams and debts. One place knows how they are spelt."""

import re
from functools import lru_cache

from libs.kernel.days import is_date, moment_ms

LEDGER = "ledger"
"""The book of the wallet shard that holds the accounts."""

DRAWS = "draws"
"""The book of the RNG shard that holds the draws."""

PERSONS = "persons"
"""The book that holds the register of persons, sealed."""

WALLET_SHARD = "wallet-0"
RNG_SHARD = "rng-0"
PERSONS_SHARD = "persons-0"


def stream_name(book: str, volume: int) -> str:
    """Return the stream of a book's volume.

    >>> stream_name("T1", 4)
    'T1/4'
    """
    return f"{book}/{volume}"


def split_stream(stream: str) -> tuple[str, int]:
    """Return book and volume of a stream name.

    >>> split_stream("T1/4")
    ('T1', 4)
    """
    book, _, volume = stream.rpartition("/")
    return book, int(volume)


def draw_id(pit: str, table: str, session: int, coup: int, name: str) -> str:
    """Return the id of a draw: it carries its return address and grows with the coup.

    >>> draw_id("pit-1", "T1", 4, 17, "main")
    'draw:pit-1/T1/4/17/main'
    """
    return f"draw:{pit}/{table}/{session}/{coup}/{name}"


@lru_cache(maxsize=1024)  # asked for when a draw is decided, and again when it is applied
def split_draw_id(draw: str) -> tuple[str, int, int, str]:
    """Return table (`pit/table`), session, coup and name of a draw id; raises `ValueError` for any other text.

    >>> split_draw_id("draw:pit-1/T1/4/17/main")
    ('pit-1/T1', 4, 17, 'main')
    """
    coup, _, name = draw.rpartition("/")
    if not name:
        raise ValueError(f"not the id of a draw: {draw}")
    return *_split_coup("draw:", coup), name


def seed_id(pit: str, table: str, session: int, coup: int) -> str:
    """Return the id of the seed that all draws of a coup follow from.

    >>> seed_id("pit-1", "T1", 4, 17)
    'seed:pit-1/T1/4/17'
    """
    return f"seed:{pit}/{table}/{session}/{coup}"


@lru_cache(maxsize=1024)  # asked for when it is opened, decided about and applied
def split_seed_id(seed: str) -> tuple[str, int, int]:
    """Return table (`pit/table`), session and coup of a seed id; raises `ValueError` for any other text.

    >>> split_seed_id("seed:pit-1/T1/4/17")
    ('pit-1/T1', 4, 17)
    """
    return _split_coup("seed:", seed)


def _split_coup(kind: str, text: str) -> tuple[str, int, int]:
    path, session, coup = text.removeprefix(kind).rsplit("/", 2)
    place = path, int(session), int(coup)
    # Only the exact spelling counts: `017` and `17` must not be two ids of one coup.
    if not path or min(place[1:]) < 1 or text != f"{kind}{path}/{place[1]}/{place[2]}":
        raise ValueError(f"not the id of something of a coup: {text}")
    return place


def seed_of_draw(draw: str) -> str:
    """Return the id of the seed that a draw follows from, if its coup has one; whatever the text, without error.

    >>> seed_of_draw("draw:pit-1/T1/4/17/main")
    'seed:pit-1/T1/4/17'
    """
    return f"seed:{draw.removeprefix('draw:').rpartition('/')[0]}"


def commit_id(seed: str) -> str:
    """Return the id of the command that asks for the commitment to a seed.

    >>> commit_id("seed:pit-1/T1/4/17")
    'commit:seed:pit-1/T1/4/17'
    """
    return f"commit:{seed}"


def reveal_id(seed: str) -> str:
    """Return the id of the command that asks for a seed itself.

    >>> reveal_id("seed:pit-1/T1/4/17")
    'reveal:seed:pit-1/T1/4/17'
    """
    return f"reveal:{seed}"


def again_id(draw: str) -> str:
    """Return the id under which a draw, or a commitment, is asked for again after a refusal that does not last.

    >>> again_id("draw:pit-1/T1/4/17/main")
    'again:draw:pit-1/T1/4/17/main'
    """
    return f"again:{draw}"


def asked_draw(command: str) -> str:
    """Return the draw that a request of this id was about, be it the first or a second one.

    >>> asked_draw("again:draw:pit-1/T1/4/17/main") == asked_draw("draw:pit-1/T1/4/17/main")
    True
    """
    return command.removeprefix("again:")


def posting_id(table: str, session: int, number: int) -> str:
    """Return the id of a table session's posting to the ledger.

    >>> posting_id("T1", 4, 17)
    'post:T1/4/17'
    """
    return f"post:{table}/{session}/{number}"


def credit_id(transfer_id: str) -> str:
    """Return the id of the command that credits a seat for a buy-in.

    >>> credit_id("alice:7")
    'credit:alice:7'
    """
    return f"credit:{transfer_id}"


def allowance_id(player: str, number: int) -> str:
    """Return the id of the ledger's word to a table about what a player may still stake.

    >>> allowance_id("player-1", 3)
    'allowance:player-1/3'
    """
    return f"allowance:{player}/{number}"


def float_id(request: str) -> str:
    """Return the id of the command that moves a table's float for a request.

    >>> float_id("croupier-1:2026-11-30/7")
    'float:croupier-1:2026-11-30/7'
    """
    return f"float:{request}"


def transit_id(origin: str, to: str, number: int) -> str:
    """Return the id of a transfer from one part of the wallet to another.

    >>> transit_id("wallet-0", "wallet-2", 17)
    'transit:wallet-0/wallet-2/17'
    """
    return f"transit:{origin}/{to}/{number}"


def shred_id(player: str) -> str:
    """Return the id of the word that a forgotten person's key is destroyed.

    >>> shred_id("p-abcdefghijklmnop")
    'shred:p-abcdefghijklmnop'
    """
    return f"shred:{player}"


# The last one counts: a speaker's name may hold a date too.
_DATED = re.compile(r".*:(\d{4}-\d{2}-\d{2})(?!\d)", re.DOTALL)


def date_of(transfer_id: str) -> str | None:
    """Return the date that a transfer id carries (`<speaker>:<date>…`), or None; also for one that no calendar has.

    >>> date_of("alice:2026-11-30/7"), date_of("alice:2026-11-30T10:00:05.123Z/7"), date_of("alice:7")
    ('2026-11-30', '2026-11-30', None)
    >>> date_of("alice:2026-11-31/7")
    """
    found = _DATED.match(transfer_id)
    return found[1] if found and is_date(found[1]) else None


_MADE = re.compile(r".*:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)", re.DOTALL | re.ASCII)


def moment_of(command_id: str) -> int | None:
    """Return the moment that a command id carries (`<speaker>:<moment>…`), in milliseconds since 1970, or None.

    >>> moment_of("alice:1970-01-01T00:01:02.345Z/7"), moment_of("alice:1970-01-01T00:00:05Z")
    (62345, 5000)
    >>> moment_of("alice:1970-01-01/7"), moment_of("alice:1970-01-01T24:00:00Z")
    (None, None)
    """
    found = _MADE.match(command_id)
    return moment_ms(found[1]) if found else None
