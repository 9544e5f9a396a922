"""The ledger as the runtime takes it: one value, `DECIDER`."""

from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    TablePosted,
    Withdrawn,
)
from libs.kernel.contracts.wallet_days import (
    AllBroughtForward,
    BroughtForward,
    LedgerClosed,
    LedgerOpened,
)
from libs.kernel.decider import Decider
from libs.kernel.messages import Event
from libs.ledger.decide import decide
from libs.ledger.evolve import evolve
from libs.ledger.react import react
from libs.ledger.roles import ROLES
from libs.ledger.state import LedgerState, initial, whole


def deadline(state: LedgerState) -> int | None:
    """Return when the ledger wants a `Tick`: at once, while there is something to bring forward."""
    return None if state.bringing is None else 0


_MONEY: frozenset[type[Event]] = frozenset({Deposited, Withdrawn, BuyInPended, BuyInPosted, BuyInVoided, TablePosted})
_DAYS: frozenset[type[Event]] = frozenset({LedgerOpened, LedgerClosed, BroughtForward, AllBroughtForward})

DECIDER: Decider[LedgerState] = Decider(
    commands=frozenset(ROLES),
    events=_MONEY | _DAYS,
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
    whole=whole,
)
