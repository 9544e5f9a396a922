"""Who takes the pot (rules.md section 5, "Settlement, first rule that applies")."""

import msgspec

from libs.games.rappel.messages import Decided
from libs.games.rappel.paytables import BET, ENTRY, NATURAL, RAKE_PERCENT, RAPPEL
from libs.games.rappel.state import RappelState
from libs.kernel.game import Paid, Settle, Terms
from libs.kernel.money import portion, split


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of pot and fees, in cents."""

    decided: Decided
    winners: tuple[int, ...]
    pot: int
    fees: int
    rake: int
    credits: dict[int, int]

    @property
    def bank(self) -> int:
        """All that the house keeps."""
        return self.pot + self.fees - sum(self.credits.values())


def judge(terms: Terms, state: RappelState) -> Verdict:
    """Return the verdict on a game in which nobody is awaited any more."""
    decided, won = _judged(state)
    pot, fees = state.pot, state.fees
    if not won:
        return Verdict(decided, (), pot, fees, 0, {})
    rake = 0 if decided == "double" else portion(pot, terms.gains[RAKE_PERCENT], 100)  # GA15, GA17
    prize = pot + fees if decided == "double" else pot - rake
    # GA20: they are in seat order, so the odd cents go one each in seat order.
    return Verdict(decided, won, pot, fees, rake, dict(zip(won, split(prize, len(won)), strict=True)))


def winners(state: RappelState) -> tuple[int, ...]:
    """Return the seats that take the pot of a game in which nobody is awaited any more, ascending; none: the bank."""
    return _judged(state)[1]


def _judged(state: RappelState) -> tuple[Decided, tuple[int, ...]]:
    standing = state.standing
    if len(standing) < 2:
        return ("lone", standing) if standing else ("nobody", ())  # GA14, GA13
    best = max(state.entrants[seat].jet_2 for seat in standing)
    highest = tuple(seat for seat in standing if state.entrants[seat].jet_2 == best)
    if best == 1:
        return "ones", ()  # GA19
    if best == NATURAL:
        return "double", highest  # GA16, GA18
    return ("win" if len(highest) == 1 else "tie"), highest


def settle(state: RappelState, verdict: Verdict) -> Settle:
    """Return the settlement: a line for each stake of each player, the credit beside the entry.

    The fees go to the house's entry fees unless a double rappel took them; a pot that nobody has won goes to the float.
    """
    lines = []
    for seat, one in state.entrants.items():
        lines.append(Paid(seat, ENTRY, 2 * state.base, verdict.credits.get(seat, 0)))
        lines += [Paid(seat, RAPPEL, state.rappel_paid(seat), 0)] if one.tried else []
        lines += [Paid(seat, BET, one.bets, 0)] if one.bets else []
    fees = 0 if verdict.decided == "double" else verdict.fees
    return Settle(outcome=outcome_code(state, verdict), paid=tuple(lines), rake=verdict.rake, entry_fees=fees)


def outcome_code(state: RappelState, verdict: Verdict) -> str:
    """Return the outcome as it is recorded: `WIN:3:11` (seat 3 with 11), `TIE:1+2:4`, `DOUBLE:1`, `LONE:3`, `ONES`."""
    name = verdict.decided.upper()
    seats = "+".join(map(str, verdict.winners))
    if verdict.decided in {"win", "tie"}:
        return f"{name}:{seats}:{state.entrants[verdict.winners[0]].jet_2}"
    return f"{name}:{seats}" if seats else name
