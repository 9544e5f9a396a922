"""What the wallet asks of a table, and the fact it answers with."""

from typing import ClassVar

import msgspec

from libs.kernel.actors import Id
from libs.kernel.allowances import Allowance
from libs.kernel.contracts.wallet import SeatNo
from libs.kernel.messages import Command, Event
from libs.kernel.money import Cents, PositiveCents


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Where a buy-in stands in the count that one part of the wallet keeps of its buy-ins at one table."""

    part: str
    """The book of that ledger."""
    number: int
    oldest: int
    """The lowest number that still waited when this one was made: to all before it the table's answer was heard."""


class CreditSeat(Command, frozen=True, kw_only=True, omit_defaults=True, tag="table.CreditSeat"):
    """The ledger holds a pending buy-in for this seat: put the chips on its credit meter, once per transfer id."""

    internal: ClassVar[bool] = True

    transfer_id: Id
    player: Id
    seat: SeatNo
    amount: PositiveCents
    allowance: Allowance | None = None
    """With the chips comes the word about them, so that they are never there without it; None: nothing new."""
    turn: Turn | None = None
    """None from older releases."""


class SeatCredited(Event, frozen=True, kw_only=True, omit_defaults=True, tag="table.SeatCredited"):
    """The seat's credit meter grew by a buy-in."""

    transfer_id: str
    player: str
    seat: int
    amount: int
    credit_after: int
    turn: Turn | None = None


class SeatCreditRefused(Event, frozen=True, kw_only=True, omit_defaults=True, tag="table.SeatCreditRefused"):
    """The table will never credit this buy-in: the ledger voids it. Recorded, so that a repeat gets the same answer."""

    transfer_id: str
    player: str
    seat: int
    amount: int
    code: str
    """The refusal's stable code (`seat.not_yours`, `session.not_open`, …)."""
    turn: Turn | None = None


class MoveFloat(Command, frozen=True, kw_only=True, tag="table.MoveFloat"):
    """The ledger holds money of an approved fill (`amount` above zero), or waits for a float credit (below)."""

    internal: ClassVar[bool] = True

    number: int
    """Counts the moves of this table's float: the table answers the last one again, and never makes one twice."""
    request: Id
    amount: Cents


class FloatMoved(Event, frozen=True, kw_only=True, tag="table.FloatMoved"):
    """The table's float has grown by a fill, or shrunk by a float credit."""

    number: int
    request: str
    amount: int
    float_after: int


class FloatMoveRefused(Event, frozen=True, kw_only=True, tag="table.FloatMoveRefused"):
    """The table will never make this move. Recorded, so that a repeat gets the same answer."""

    number: int
    request: str
    amount: int
    code: str
    """The refusal's stable code (`session.not_open`, `float.too_low`)."""


class SetAllowance(Command, frozen=True, kw_only=True, tag="table.SetAllowance"):
    """From now on the player may stake so much at this table; wagers that lie there are played out."""

    internal: ClassVar[bool] = True

    player: Id
    allowance: Allowance
    known: int
    """The ledger knows what was staked under all words up to this number."""


class AllowanceSet(Event, frozen=True, kw_only=True, tag="table.AllowanceSet"):
    """The table has taken the ledger's word, and says what the player has staked under the words before it."""

    player: str
    allowance: Allowance
    staked: dict[int, int]
    """Cents by the number of the word, of those that the ledger may not know yet."""
    seated: bool
    """False when the player has no seat here."""
