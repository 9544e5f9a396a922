"""The kinds of shard: pits (tables), the wallet's (the ledger), the RNG's (the draws), the register of persons."""

from dataclasses import dataclass
from typing import Any

from libs.draws.decider import DECIDER as DRAWS_DECIDER
from libs.eventlog.codec import Codec
from libs.kernel.contracts.rng import Drawn, DrawsOpened, SealedDrawn, SeedCommitted, SeedGivenUp, SeedRevealed
from libs.kernel.contracts.table import AllowanceSet, FloatMoved, FloatMoveRefused, SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.contracts.wallet_days import LedgerOpened
from libs.kernel.decider import Decider
from libs.kernel.messages import Event
from libs.ledger.decider import DECIDER as LEDGER_DECIDER
from libs.persons.decider import DECIDER as PERSONS_DECIDER
from libs.table.decider import DECIDER as TABLE_DECIDER


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of shard: its rules and how its messages are written."""

    name: str
    decider: Decider[Any]
    codec: Codec


# The facts of others that come inside answers are decoded too: the draw and the posting for a table, the credit for
# the ledger.
_TOLD_TO_TABLES: frozenset[type[Event]] = frozenset(
    {Drawn, SealedDrawn, DrawsOpened, SeedCommitted, SeedRevealed, SeedGivenUp, LedgerOpened, TablePosted}
)
PIT = Kind("pit", TABLE_DECIDER, Codec(TABLE_DECIDER.commands, TABLE_DECIDER.events | _TOLD_TO_TABLES))
WALLET = Kind(
    "wallet",
    LEDGER_DECIDER,
    Codec(
        LEDGER_DECIDER.commands,
        LEDGER_DECIDER.events | {SeatCredited, SeatCreditRefused, FloatMoved, FloatMoveRefused, AllowanceSet},
    ),
)
RNG = Kind("rng", DRAWS_DECIDER, Codec(DRAWS_DECIDER.commands, DRAWS_DECIDER.events))
PERSONS = Kind("persons", PERSONS_DECIDER, Codec(PERSONS_DECIDER.commands, PERSONS_DECIDER.events))


def kind_of(shard: str) -> Kind:
    """Return the kind of a shard by its name; every name but `wallet-…`, `rng-…` and `persons-…` is a pit's."""
    if shard.startswith("wallet-"):
        return WALLET
    if shard.startswith("rng-"):
        return RNG
    if shard.startswith("persons-"):
        return PERSONS
    return PIT
