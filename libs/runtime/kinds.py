"""The three kinds of shard: pits (tables), the wallet's (the ledger) and the RNG's (the draws)."""

from dataclasses import dataclass
from typing import Any

from libs.draws import DECIDER as DRAWS_DECIDER
from libs.eventlog.codec import Codec
from libs.kernel.decider import Decider
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD
from libs.ledger import DECIDER as LEDGER_DECIDER
from libs.table import DECIDER as TABLE_DECIDER


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of shard: its rules and how its messages are written."""

    name: str
    decider: Decider[Any]
    codec: Codec


PIT = Kind("pit", TABLE_DECIDER, Codec(TABLE_DECIDER.commands, TABLE_DECIDER.events))
WALLET = Kind("wallet", LEDGER_DECIDER, Codec(LEDGER_DECIDER.commands, LEDGER_DECIDER.events))
RNG = Kind("rng", DRAWS_DECIDER, Codec(DRAWS_DECIDER.commands, DRAWS_DECIDER.events))


def kind_of(shard: str) -> Kind:
    """Return the kind of a shard by its name; every other name is a pit's."""
    if shard == WALLET_SHARD or shard.startswith("wallet-"):
        return WALLET
    if shard == RNG_SHARD or shard.startswith("rng-"):
        return RNG
    return PIT
