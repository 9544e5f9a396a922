"""The ledger as the runtime takes it: one value, `DECIDER`."""

from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import (
    BuyIn,
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposit,
    Deposited,
    LedgerOpened,
    PostFromTable,
    TablePosted,
    Withdraw,
    Withdrawn,
)
from libs.kernel.decider import Decider
from libs.ledger.decide import decide
from libs.ledger.evolve import evolve
from libs.ledger.react import react
from libs.ledger.state import LedgerState, initial


def deadline(_state: LedgerState) -> None:
    """The ledger waits for no hour."""


DECIDER: Decider[LedgerState] = Decider(
    commands=frozenset({Deposit, Withdraw, BuyIn, PostFromTable, Answered}),
    events=frozenset({LedgerOpened, Deposited, Withdrawn, BuyInPended, BuyInPosted, BuyInVoided, TablePosted}),
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
)
