"""What the committee member says to open a table as the floor plans it, and what the rules answer."""

from pathlib import Path

from libs.runtime.floor import Floor, FloorError, TablePlan, load_floor
from libs.table.decide_session import terms_refusal
from libs.table.messages import OpenSession


def opening(plan: TablePlan) -> OpenSession:
    """Return the words that open a table with the terms of its plan."""
    return OpenSession(
        game=plan.game,
        paytable=plan.paytable,
        minimum=plan.minimum,
        float_amount=plan.float_amount,
        seats=plan.seats,
        source=plan.source,
        betting_ms=plan.betting_ms,
        decision_ms=plan.decision_ms,
        options=plan.options,
        # The committee member has read the edges of the floor's paytable: this is what the floor wants.
        confirm_negative_edge=True,
    )


def load_openable(path: Path) -> Floor:
    """Read a floor file; raises `FloorError`, also for a table that the rules would not let open as planned."""
    floor = load_floor(path)
    for name, plan in floor.tables.items():
        refusal = terms_refusal(opening(plan))
        if refusal is not None:
            raise FloorError(f"{path}: table `{name}`: {refusal.en} ({refusal.code})")
    return floor
