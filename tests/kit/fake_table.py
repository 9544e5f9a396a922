"""A table as the ledger meets it: credit meters, owed postings, and an answer to every CreditSeat. No game."""

from collections import deque
from dataclasses import dataclass, field

from libs.kernel.accounts import HOUSE_BANK, float_account, player_account, seat_account
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import (
    CreditSeat,
    FloatMoved,
    FloatMoveRefused,
    MoveFloat,
    SeatCredited,
    SeatCreditRefused,
)
from libs.kernel.contracts.wallet import Leg, PostFromTable, TablePosted
from libs.kernel.ids import credit_id, float_id
from libs.kernel.limits import CREDITS_CARRIED


@dataclass
class FakeTable:
    """One table through its sessions. It answers the same question the same way."""

    name: str
    session: int = 1
    meters: dict[int, int] = field(default_factory=dict)
    """Cents on each seat."""
    sitting: dict[int, str] = field(default_factory=dict)
    """The player of each seat."""
    bank: int = 0
    """Cents in the float."""
    float_answer: FloatMoved | FloatMoveRefused | None = None
    _owed: deque[PostFromTable] = field(default_factory=deque)
    _number: int = 0
    _answers: dict[str, Answered] = field(default_factory=dict)

    def credit(self, wish: CreditSeat) -> Answered:
        """Put the chips on the meter, if the seat is free or the player's own; the same answer when asked again."""
        if wish.transfer_id not in self._answers:
            self._answers[wish.transfer_id] = self._credit(wish)
        return self._answers[wish.transfer_id]

    def _credit(self, wish: CreditSeat) -> Answered:
        to = credit_id(wish.transfer_id)
        if self.sitting.setdefault(wish.seat, wish.player) != wish.player:
            refused = SeatCreditRefused(
                transfer_id=wish.transfer_id,
                player=wish.player,
                seat=wish.seat,
                amount=wish.amount,
                code="seat.not_yours",
            )
            return Answered(to=to, events=(refused,))
        after = self.meters[wish.seat] = self.meters.get(wish.seat, 0) + wish.amount
        fact = SeatCredited(
            transfer_id=wish.transfer_id,
            player=wish.player,
            seat=wish.seat,
            amount=wish.amount,
            credit_after=after,
        )
        return Answered(to=to, events=(fact,))

    def move_float(self, wish: MoveFloat) -> Answered:
        """Move the float, if it holds enough; each number once, and only the last one is remembered."""
        if self.float_answer is None or wish.number > self.float_answer.number:
            enough = self.bank + wish.amount >= 0
            after = self.bank = self.bank + wish.amount if enough else self.bank
            number, request, amount = wish.number, wish.request, wish.amount
            if enough:
                self.float_answer = FloatMoved(number=number, request=request, amount=amount, float_after=after)
            else:
                self.float_answer = FloatMoveRefused(
                    number=number, request=request, amount=amount, code="float.too_low"
                )
        assert wish.number == self.float_answer.number, "asked for what was answered and forgotten"
        return Answered(to=float_id(wish.request), events=(self.float_answer,))

    def open_float(self, amount: int) -> None:
        """Take a float from the house's bank."""
        self.bank += amount
        self._owe("float_opened", (Leg(HOUSE_BANK, -amount), Leg(float_account(self.name), amount)))

    def coup(self, results: dict[int, int]) -> None:
        """Settle a coup: each seat wins or loses so many cents (never more than it has) against the float."""
        net = {seat: max(cents, -self.meters[seat]) for seat, cents in results.items() if seat in self.meters}
        for seat, cents in net.items():
            self.meters[seat] += cents
        total = sum(net.values())
        self.bank -= total
        seats = tuple(Leg(seat_account(self.name, seat), cents) for seat, cents in net.items())
        self._owe("coup", (*seats, Leg(float_account(self.name), -total)))

    def cash_out(self, seat: int) -> None:
        """Send all chips of a seat home; the player leaves."""
        amount, player = self.meters.pop(seat), self.sitting.pop(seat)
        self._owe("cash_out", (Leg(seat_account(self.name, seat), -amount), Leg(player_account(player), amount)))

    def close(self) -> None:
        """Close the session: every seat is cashed out, the float goes back to the bank."""
        legs = []
        for seat, amount in self.meters.items():
            legs.append(Leg(seat_account(self.name, seat), -amount))
            legs.append(Leg(player_account(self.sitting[seat]), amount))
        legs.append(Leg(float_account(self.name), -self.bank))
        legs.append(Leg(HOUSE_BANK, self.bank))
        self.meters, self.sitting, self.bank = {}, {}, 0
        self._owe("float_closed", tuple(legs))

    def next_session(self, amount: int) -> bool:
        """Open the next session, if the ledger has everything of this one; only the latest answers go with it."""
        if self.owed():
            return False
        self._answers = dict(list(self._answers.items())[-CREDITS_CARRIED:])
        self.session, self._number = self.session + 1, 0
        self.open_float(amount)
        return True

    def owed(self) -> list[PostFromTable]:
        """Return the postings that the ledger has not confirmed, oldest first."""
        return list(self._owed)

    def hear(self, fact: TablePosted) -> None:
        """Take note of a confirmed posting: it must be one of ours, and confirms all before it."""
        place = fact.session, fact.number
        assert place <= (self.session, self._number), "the ledger confirms what was never posted"
        while self._owed and (self._owed[0].session, self._owed[0].number) <= place:
            self._owed.popleft()

    def _owe(self, reason: str, legs: tuple[Leg, ...]) -> None:
        self._number += 1
        self._owed.append(
            PostFromTable(table=self.name, session=self.session, number=self._number, reason=reason, legs=legs)
        )
