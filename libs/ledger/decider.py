"""The ledger as the runtime takes it: one value, `DECIDER`."""

from typing import get_args

from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    TablePosted,
    Withdrawn,
)
from libs.kernel.contracts.wallet_cards import CardBlocked, CardIssued, CardReplaced
from libs.kernel.contracts.wallet_days import (
    AllBroughtForward,
    BroughtForward,
    LedgerClosed,
    LedgerOpened,
)
from libs.kernel.contracts.wallet_limits import (
    AllowanceDue,
    AllowanceHeard,
    ExclusionLifted,
    LimitSet,
    PlayerExcluded,
)
from libs.kernel.contracts.wallet_refusals import MoneyCommand, TransferRefused
from libs.kernel.contracts.wallet_requests import (
    RequestApproved,
    RequestExpired,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.contracts.wallet_transit import TransferReceived, TransfersDelivered
from libs.kernel.decider import Decider
from libs.kernel.messages import Event
from libs.ledger.decide import decide
from libs.ledger.evolve import evolve
from libs.ledger.react import react
from libs.ledger.roles import ROLES
from libs.ledger.state import LedgerState, initial, whole


def deadline(state: LedgerState) -> int | None:
    """Return when the ledger wants a `Tick`: at once, to bring something forward; else when a request expires."""
    if state.bringing is not None:
        return 0
    return min((r.pended.expires_at_ms for r in state.requests.values() if r.approved is None), default=None)


_MONEY: frozenset[type[Event]] = frozenset(
    {Deposited, Withdrawn, BuyInPended, BuyInPosted, BuyInVoided, TablePosted, TransferRefused}
)
_REQUESTS: frozenset[type[Event]] = frozenset(
    {RequestPended, RequestApproved, RequestPosted, RequestVoided, RequestExpired}
)
_TRANSIT: frozenset[type[Event]] = frozenset({TransferReceived, TransfersDelivered})
_CARDS: frozenset[type[Event]] = frozenset({CardIssued, CardBlocked, CardReplaced})
_PLAYERS: frozenset[type[Event]] = frozenset({LimitSet, PlayerExcluded, ExclusionLifted, AllowanceDue, AllowanceHeard})
_DAYS: frozenset[type[Event]] = frozenset({LedgerOpened, LedgerClosed, BroughtForward, AllBroughtForward})

DECIDER: Decider[LedgerState] = Decider(
    commands=frozenset(ROLES),
    events=_MONEY | _REQUESTS | _TRANSIT | _CARDS | _PLAYERS | _DAYS,
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
    remembers=frozenset(get_args(MoneyCommand)),
    whole=whole,
)
