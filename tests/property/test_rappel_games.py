"""Whole games of the Rappel with any dice and any legal words: settled as a second reading of the rules says.

The second reading shares no code with the first: it goes through the log of the game as an auditor would.
"""

from hypothesis import event, given, settings
from hypothesis import strategies as st

from libs.games.rappel import messages as r
from libs.kernel.decider import Accepted
from libs.kernel.messages import Command
from libs.table import messages as m
from tests.kit.given import GivenTable, money_is_conserved, player
from tests.kit.rappel import credited, game, given_jet_1, given_meters, given_rolls, paid

FACES = st.sampled_from([1, 1, 2, 4, 5, 6, 7, 10, 11, 12, 15, 16, 19, 20, 20, 20])


def play_out(table: GivenTable, choices: list[int], faces: list[int]) -> int:
    """Play until the game is settled, with words from `choices` and dice from `faces`; return the number of words."""
    spoken = 0
    while table.state.phase == "locked":
        if table.state.draws:
            (wanted,) = table.state.draws.values()
            rolls = [
                (faces[(spoken + place) % len(faces)] - 1) % bound + 1 for place, bound in enumerate(wanted.bounds)
            ]
            given_rolls(table, *rolls)
            continue
        spoken += 1
        assert spoken <= 200, "the game does not end"
        speak(table, choices[spoken % len(choices)])
    return spoken


def speak(table: GivenTable, choice: int) -> None:
    """Let the player whose word it is say one of four things; what the meter does not allow is left to the timer."""
    state, seat = game(table), game(table).turn
    assert seat is not None
    words: dict[str, list[Command | None]] = {
        "rappel": [r.TryRappel(), r.Decline(), r.Decline(), None],
        "bets": [r.Raise(level=state.level), r.Follow(level=state.level), r.Pass(), None],
    }
    word = words[state.stage][choice % 4]
    if word is None or not isinstance(table.when(word, by=player(seat)), Accepted):
        assert table.state.due_ms is not None
        table.later(table.state.due_ms - table.now_ms)


def audited(table: GivenTable) -> tuple[dict[int, int], dict[int, int], int, int]:
    """Read the log of the only game: return payments and credits by seat, rake and fees."""
    base = next(e.base for e in table.log if isinstance(e, r.GameStarted))
    pays: dict[int, int] = {}
    dice: dict[int, int] = {}
    first: dict[int, int] = {}
    second: dict[int, int] = {}
    out: set[int] = set()
    for fact in table.log:
        match fact:
            case m.WagerPlaced(seat=seat, amount=amount):
                pays[seat] = pays.get(seat, 0) + amount
            case r.FirstRolled(rolls=rolls):
                first = rolls
                dice = {
                    s: (20 if v == 20 else 12 if v > 15 else 10 if v > 10 else 8 if v > 5 else 6)
                    for s, v in rolls.items()
                }
                out = {s for s, v in rolls.items() if v == 1}
            case r.RappelRolled(seat=seat, roll=roll):
                out = out - {seat} if roll == 20 else out | {seat}
                dice[seat] = 20
            case r.Passed(seat=seat):
                out = out | {seat}
            case r.BetsMatched(dice=asked):
                assert {seat: dice[seat] for seat in first if seat not in out} == asked
            case r.SecondRolled(rolls=rolls):
                second = rolls
                assert all(1 <= roll <= dice[seat] for seat, roll in rolls.items())
            case _:
                pass
    return pays, *shared(base, pays, [seat for seat in sorted(first) if seat not in out], second)


def shared(
    base: int, pays: dict[int, int], inside: list[int], second: dict[int, int]
) -> tuple[dict[int, int], int, int]:
    """Share the pot by the five rules, in the order of rules.md: return credits, rake and fees to the bank."""
    fees = base * len(pays)
    pot = sum(pays.values()) - fees
    credit = dict.fromkeys(pays, 0)
    if not inside or (len(inside) > 1 and set(second.values()) == {1}):
        return credit, 0, fees
    best = [seat for seat in inside if len(inside) == 1 or second[seat] == max(second.values())]
    double = len(inside) > 1 and second[best[0]] == 20
    rake = 0 if double else pot // 10
    prize = pot + fees if double else pot - rake
    for place, seat in enumerate(best):
        credit[seat] = prize // len(best) + (place < prize % len(best))
    return credit, rake, 0 if double else fees


@settings(max_examples=300, deadline=None)
@given(
    base=st.sampled_from([10, 250, 1_000, 100_000]),
    jet_1=st.lists(FACES, min_size=2, max_size=8),
    means=st.lists(st.integers(2, 60), min_size=8, max_size=8),
    choices=st.lists(st.integers(0, 3), min_size=1, max_size=40),
    faces=st.lists(FACES, min_size=1, max_size=12),
)
def test_any_game(base: int, jet_1: list[int], means: list[int], choices: list[int], faces: list[int]) -> None:
    """Any dice, words and meters: the game ends, within a bound, and pays what the second reading says."""
    players = len(jet_1)
    table = given_meters(*(stakes * base for stakes in means[:players]), base=base)
    given_jet_1(table, *jet_1)
    spoken = play_out(table, choices, faces)
    pays, credits_, rake, fees = audited(table)
    event(str(table.last_settlement().outcome.split(":")[0]))
    assert spoken <= players * (players + 2)
    assert [pays[seat] for seat in sorted(pays)] == paid(table)
    assert [credits_[seat] for seat in sorted(credits_)] == credited(table)
    legs = table.last_settlement().legs
    assert rake == sum(leg.amount for leg in legs if leg.account == "house:rake")
    assert fees == sum(leg.amount for leg in legs if leg.account == "house:entry")
    assert 0 == sum(leg.amount for leg in legs)
    assert all(leg.amount > 0 for leg in legs if not leg.account.startswith("seat:"))
    money_is_conserved(table)
