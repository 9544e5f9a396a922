"""What may be said wrong at Rampo (minimum and chip 500 cents)."""

from libs.games.rampo import messages as r
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, PIT_BOSS, TECHNICIAN, GivenTable, player
from tests.kit.rampo import given_rampo, given_trying, rampo_opening, thrown
from tests.kit.wrongs import Wrong

REFUSE, THROW, OTHER_PAIR, TRIES = r.RefuseDice(), r.ThrowDice(), r.ChangeDice(pair=2), r.AnswerRampo(tries=True)


def prepared() -> GivenTable:
    """The technician has checked the dice."""
    return GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)


def between() -> GivenTable:
    """Two players sit there; no coup has been played."""
    return given_rampo()


def betting(*wagers: tuple[int, str, int]) -> GivenTable:
    """Betting is open; player 1 is the shooter and both are rich."""
    return given_rampo(credit=1_000_000).given_wagers(*wagers)


def locked(source: str = "rng") -> GivenTable:
    """*Rien ne va plus* has been said; both have a stake, player 1 has the dice."""
    table = given_rampo(source=source).given_wagers((1, "ROUGE", 500), (2, "ROUGE", 500))
    return table.given(m.CloseBetting(), by=CROUPIER)


def by_hand() -> GivenTable:
    """The dice are thrown by hand; a first throw is awaited."""
    return locked("console")


def in_the_air() -> GivenTable:
    """The shooter has thrown and the RNG is asked."""
    return locked().given(THROW, by=player(1))


def offered(source: str = "rng") -> GivenTable:
    """An 8 was thrown: players 1 and 2, who hold it, are offered the rampo, player 3 is not."""
    table = given_rampo(players=3, source=source)
    return thrown(table.given_wagers((1, "8", 500), (2, "8", 500), (3, "NOIR", 500)), 8)


def answered_once() -> GivenTable:
    """Player 1 tries, player 2 has not answered."""
    return offered().given(TRIES, by=player(1))


def trying() -> GivenTable:
    """Player 1 has 500 cents in the zone on 8, and betting is open again."""
    return given_trying(given_rampo(credit=1_000_000), 8).given_wagers()


def coup_nul_once() -> GivenTable:
    """A first throw by hand was irregular; the second is awaited."""
    return by_hand().given(r.CallCoupNul(throw=1, fault="sliding"), by=CROUPIER)


def _terms(code: str, **terms: object) -> Wrong:
    return Wrong(code, prepared, rampo_opening(**terms), COMMITTEE)  # type: ignore[arg-type]


def _wager(code: str, spot: str, amount: int, *before: tuple[int, str, int]) -> Wrong:
    return Wrong(code, lambda: betting(*before), m.PlaceWager(spot=spot, amount=amount), player())


def _nul(throw: int) -> r.CallCoupNul:
    return r.CallCoupNul(throw=throw, fault="other")


def _remove(seat: int) -> r.RemoveShooter:
    return r.RemoveShooter(seat=seat, reason="throws onto the chips")


WRONG = [
    _terms("rampo.too_many_seats", seats=9),
    _terms("rampo.unknown_option", options={"bonus_stake": 1_000}),
    _terms("rampo.unknown_option", options={"extremes_times": 0}),
    _terms("rampo.unknown_option", options={"extremes_times": 41}),
    _terms("rampo.float_too_small", float_amount=7_499_999, options={"extremes_times": 1}),
    _wager("wager.unknown_spot", "13", 500),
    _wager("wager.unknown_spot", "1", 500),
    _wager("wager.unknown_spot", "RAMPO-8", 500),
    _wager("wager.unknown_spot", "BLEU", 500),
    _wager("rampo.astride", "2-3", 500),
    _wager("rampo.astride", "ROUGE-NOIR", 500),
    _wager("rampo.astride", "8-ROUGE", 1_000),
    _wager("wager.under_minimum", "ROUGE", 499),
    _wager("rampo.not_whole_chips", "8", 499),
    _wager("rampo.not_whole_chips", "8", 750),
    _wager("wager.over_maximum", "8", 20_500),
    _wager("wager.over_maximum", "BLANC", 100_001),
    _wager("wager.over_maximum", "8", 500, (1, "8", 19_500), (1, "8", 500)),
    _wager("wager.over_maximum", "ROUGE", 1, (1, "ROUGE", 100_000)),
    Wrong("rampo.over_maximum_with_zone", trying, m.PlaceWager(spot="8", amount=20_000), player()),
    Wrong("rampo.not_seated", between, r.SetChipValue(value=600), player(9)),
    Wrong("rampo.chip_under_minimum", between, r.SetChipValue(value=499), player()),
    Wrong("rampo.chip_over_maximum", between, r.SetChipValue(value=20_001), player()),
    Wrong("rampo.chips_down", lambda: betting((1, "8", 500)), r.SetChipValue(value=600), player()),
    Wrong("rampo.chips_down", trying, r.SetChipValue(value=600), player()),
    Wrong("rampo.not_betting", between, REFUSE, player()),
    Wrong("rampo.not_betting", locked, REFUSE, player()),
    Wrong("rampo.not_shooter", betting, REFUSE, player(2)),
    Wrong("rampo.not_seated", betting, REFUSE, player(9)),
    Wrong("rampo.not_betting", locked, OTHER_PAIR, player()),
    Wrong("rampo.not_shooter", betting, OTHER_PAIR, player(2)),
    Wrong("rampo.not_seated", betting, OTHER_PAIR, player(9)),
    Wrong("rampo.dice_locked", trying, OTHER_PAIR, player()),
    Wrong("rampo.betting_not_closed", betting, THROW, player()),
    Wrong("rampo.betting_not_closed", between, THROW, player()),
    Wrong("rampo.not_shooter", locked, THROW, player(2)),
    Wrong("rampo.not_seated", locked, THROW, player(9)),
    Wrong("rampo.thrown_by_hand", by_hand, THROW, player()),
    Wrong("rampo.not_offered", betting, TRIES, player()),
    Wrong("rampo.not_offered", in_the_air, TRIES, player()),
    Wrong("rampo.not_offered", offered, TRIES, player(3)),
    Wrong("rampo.not_seated", offered, TRIES, player(9)),
    Wrong("rampo.already_answered", answered_once, r.AnswerRampo(tries=False), player()),
    Wrong("rampo.no_irregular_draw", locked, _nul(1), CROUPIER),
    Wrong("rampo.no_throw", lambda: given_rampo(source="console").given_wagers(), _nul(1), CROUPIER),
    Wrong("rampo.other_throw", by_hand, _nul(2), CROUPIER),
    Wrong("rampo.other_throw", coup_nul_once, _nul(3), CROUPIER),
    Wrong("rampo.already_announced", lambda: offered("console"), _nul(1), CROUPIER),
    Wrong("rampo.nothing_to_take", between, _remove(1), PIT_BOSS),
    Wrong("rampo.not_the_shooter", betting, _remove(2), PIT_BOSS),
    Wrong("rampo.not_the_shooter", by_hand, _remove(5), PIT_BOSS),
    Wrong("rampo.nothing_to_take", in_the_air, _remove(1), PIT_BOSS),
    Wrong("rampo.already_announced", offered, _remove(1), PIT_BOSS),
]
