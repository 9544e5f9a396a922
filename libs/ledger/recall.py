"""Answer a repeat of a transfer that only the log remembers, as if it had been remembered all the time."""

from libs.kernel import buckets
from libs.kernel.contracts.wallet_days import Transfer, TransferFact
from libs.kernel.decider import Context, Decision
from libs.kernel.messages import Command
from libs.ledger.decide import decide
from libs.ledger.state import LedgerState


def decide_again(command: Command, context: Context, made: TransferFact) -> Decision:
    """Return `Already` with the facts of that time, the refusal of that time, or that of other content under the id."""
    remembered = buckets.put(buckets.empty(), {made.transfer_id: Transfer(made, "posted")})
    return decide(LedgerState(book=context.book, opened=True, transfers=remembered), command, context)
