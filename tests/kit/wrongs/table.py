"""What may be said wrong at any table, whatever is played there; shown at the wheel, at Rampo and at Pair'e poker."""

from functools import partial

from msgspec.structs import replace

from libs.games.rampo import messages as r
from libs.games.rappel.messages import TryRappel
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.allowances import REFUSALS, Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import SeedRevealed
from libs.kernel.contracts.table import CreditSeat, MoveFloat, SetAllowance
from libs.kernel.ids import reveal_id, seed_id
from libs.kernel.limits import MAX_PLAYER_ID_CHARS, MAX_WAGERS_PER_SEAT, SEEDS_UNREVEALED
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.buy_ins import METER_CENTS
from libs.table.float_messages import CountFloat
from libs.table.interruption_messages import InterruptSession
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    given_wheel,
    opening,
    player,
)
from tests.kit.poker import given_poker
from tests.kit.rampo import given_rampo, given_trying
from tests.kit.rappel import given_jet_1, given_rappel
from tests.kit.wrongs import Wrong

OPEN, CLOSE, CHECK = m.OpenBetting(), m.CloseBetting(), m.CheckEquipment()
WAGER, TAKE_BACK = m.PlaceWager(spot="2", amount=100), m.TakeBackWager(spot="2")
VOID, INTERRUPT = m.VoidCoup(reason="power cut"), InterruptSession(reason="power cut")
LEAVE, CASH_OUT = m.LeaveSeat(), m.CashOut(amount=1)
COUNT = CountFloat(counted=500_000)
LAST_COUPS, CLOSE_SESSION = m.AnnounceLastCoups(), m.CloseSession()
SEGMENT, CONFIRM = o.RecordOutcome(name="main", faces=("3",)), o.ConfirmOutcome(name="main")
CORRECT = o.CorrectOutcome(name="main", faces=("4",), reason="misread")
TECHNICIAN_2 = Actor("technician-2", "technician")


def never_opened() -> GivenTable:
    """Nothing has ever happened here."""
    return GivenTable()


def prepared() -> GivenTable:
    """The technician has checked the equipment."""
    return GivenTable().given(CHECK, by=TECHNICIAN)


def owing() -> GivenTable:
    """A session has just closed and the ledger has confirmed nothing."""
    return given_wheel().given(CLOSE_SESSION, by=COMMITTEE)


def unrevealed() -> GivenTable:
    """A session has just closed and the RNG has revealed nothing."""
    table = given_wheel()
    table.rng_answers = False
    return table.given(CLOSE_SESSION, by=COMMITTEE).given_ledger_confirms()


def uncommitted() -> GivenTable:
    """The RNG has not bound itself to any coup."""
    table = GivenTable()
    table.rng_answers = False
    return table.given_open()


def unrevealed_coups() -> GivenTable:
    """The RNG binds itself, but has revealed none of several seeds."""
    table = given_wheel()
    table.rng_answers = False
    for _ in range(SEEDS_UNREVEALED + 1):
        table.given(OPEN, by=CROUPIER).rng_speaks_of_seeds(reveals=False).given(VOID, by=PIT_BOSS)
    return table


def mistrusted() -> GivenTable:
    """The RNG has revealed another seed than it was bound to."""
    table = given_wheel().given(OPEN, by=CROUPIER)
    table.rng_answers = False
    table.given(VOID, by=PIT_BOSS)
    seed = seed_id("pit-1", "T1", 1, 1)
    other = SeedRevealed(seed_id=seed, seed="00" * 32)
    return table.given(Answered(to=reveal_id(seed), events=(other,)))


def between() -> GivenTable:
    """Two players sit at a wheel; no coup runs."""
    return given_wheel().given_seated(1, credit=10_000).given_seated(2, credit=10_000)


def betting() -> GivenTable:
    """Betting is open and player 1 has a stake on 2."""
    return between().given_wagers((1, "2", 1_000))


def poor() -> GivenTable:
    """Betting is open and player 1 has 400 cents left."""
    return given_wheel().given_seated(1, credit=500).given_wagers((1, "4", 100))


def locked(source: str = "rng") -> GivenTable:
    """The wheel turns and its segment is drawn, recorded or reported."""
    table = given_wheel(source=source).given_seated(1, credit=10_000).given_wagers((1, "2", 1_000))
    table.given(CLOSE, by=CROUPIER).later(DECISION_MS)
    return table


def at_the_console() -> GivenTable:
    """The croupier must record the segment."""
    return locked("console")


def recorded() -> GivenTable:
    """The croupier has recorded a segment."""
    return at_the_console().given(SEGMENT, by=CROUPIER)


def read_by_a_device() -> GivenTable:
    """A device must read the dice of a Rampo table."""
    return given_rampo(source="device").given_wagers((1, "ROUGE", 500)).given(CLOSE, by=CROUPIER)


def manual_mode() -> GivenTable:
    """The device could not read them."""
    return read_by_a_device().given(o.RecordOutcome(name="throw-1", faces=None), by=DEVICE)


def dealt_by_a_device() -> GivenTable:
    """A shuffler has read the cards, which lie face down."""
    table = given_poker(source="device").given_seated(1).given_wagers((1, "COULEUR_ROUGE", 100))
    table.given(CLOSE, by=CROUPIER)
    return table.given(o.RecordOutcome(name="cards", faces=("2P", "7C", "8K", "9T")), by=DEVICE)


def stakes_moved() -> GivenTable:
    """JET 1 was recorded, then a player has engaged the rappel stake."""
    table = given_jet_1(given_rappel(2, source="device"), 2, 9)
    return table.given(TryRappel(), by=player())


def last_played() -> GivenTable:
    """The three last coups have been played."""
    table = between().given(LAST_COUPS, by=PIT_BOSS)
    for _ in range(3):
        table.given_wagers().given_spin("2")
    return table


def stakes_held() -> GivenTable:
    """The last coup is over and a stake waits for a next one: no game of the house lets that happen."""
    table = given_trying(given_rampo(), 8)
    table.state = replace(table.state, last_left=0)
    return table


def every_spot() -> GivenTable:
    """A player has as many different stakes at Pair'e poker as a seat may have."""
    table = given_poker().given_seated(1, credit=1_000_000).given_wagers()
    assert table.state.terms is not None
    for spot in list(table.state.terms.maxima)[:MAX_WAGERS_PER_SEAT]:
        table.given(m.PlaceWager(spot=spot, amount=100), by=player())
    return table


def last_spot() -> str:
    """Name a spot that such a player has no stake on."""
    terms = given_poker().state.terms
    assert terms is not None
    return list(terms.maxima)[MAX_WAGERS_PER_SEAT]


def _told(cents: int, code: str, number: int = 1) -> SetAllowance:
    return SetAllowance(player=player(number).id, allowance=Allowance(1, cents, code), known=0)


def told(cents: int, code: str) -> GivenTable:
    """Betting is open, and the ledger has said how much player 1 may stake; so it has of player 3, who is not here."""
    table = given_wheel().given_seated(1).given(_told(cents, code)).given(_told(cents, code, 3))
    return table.given_wagers()


def told_in_a_game() -> GivenTable:
    """A player whose word it is at Le Jeu du Rappel may stake nothing more."""
    table = given_jet_1(given_rappel(2), 4, 9)
    return table.given(_told(0, "exclusion.self"))


def _credit(seat: int, amount: int = 100) -> CreditSeat:
    return CreditSeat(transfer_id="t-9", player="player-1", seat=seat, amount=amount)


def _record(*faces: str, name: str = "main", coup: int | None = None) -> o.RecordOutcome:
    return o.RecordOutcome(name=name, faces=faces, coup=coup)


DICE = _record("2", "3", name="throw-1")

_SESSION = [
    Wrong("equipment.technician_first", never_opened, CHECK, COMMITTEE),
    Wrong("equipment.already_checked", prepared, CHECK, TECHNICIAN_2),
    Wrong("equipment.two_people", prepared, CHECK, Actor(TECHNICIAN.id, "committee_member")),
    Wrong("equipment.two_people", prepared, opening(), Actor(TECHNICIAN.id, "committee_member")),
    Wrong("session.already_open", between, CHECK, TECHNICIAN),
    Wrong("session.postings_pending", owing, CHECK, TECHNICIAN),
    Wrong("seed.not_committed", uncommitted, OPEN, CROUPIER),
    Wrong("seed.not_revealed", unrevealed_coups, OPEN, CROUPIER),
    Wrong("seed.mismatch", mistrusted, OPEN, CROUPIER),
    Wrong("session.seeds_pending", unrevealed, CHECK, TECHNICIAN),
    Wrong("session.not_prepared", never_opened, opening(), COMMITTEE),
    Wrong("session.already_open", between, opening(), COMMITTEE),
    Wrong("session.unknown_game", prepared, opening(game="belote"), COMMITTEE),
    Wrong("session.unknown_paytable", prepared, opening("RAMPO-MAISON-1"), COMMITTEE),
    # No game of the house leaves a source out, so this one is none of the three.
    Wrong("session.source_not_offered", prepared, replace(opening(), source="tea"), COMMITTEE),
    Wrong("session.limits_too_high", prepared, opening(minimum=10**9), COMMITTEE),
    Wrong("session.negative_edge", prepared, opening("ROUE-ARR-2024", confirm_negative_edge=False), COMMITTEE),
    Wrong("session.not_open", prepared, LAST_COUPS, PIT_BOSS),
    Wrong("session.not_open", prepared, CLOSE_SESSION, COMMITTEE),
    Wrong("session.not_open", prepared, INTERRUPT, COMMITTEE),
    Wrong("session.coup_running", betting, CLOSE_SESSION, COMMITTEE),
    Wrong("session.coup_running", locked, CLOSE_SESSION, COMMITTEE),
    Wrong("session.last_coups_first", between, CLOSE_SESSION, COMMITTEE),
    Wrong("session.stakes_held", stakes_held, CLOSE_SESSION, COMMITTEE),
    Wrong("role.not_allowed", prepared, opening(), PIT_BOSS),
    Wrong("role.not_allowed", between, INTERRUPT, PIT_BOSS),
]

_SEATS = [
    Wrong("session.not_open", prepared, m.TakeSeat(seat=1), player()),
    Wrong("seat.unknown", between, m.TakeSeat(seat=21), player(3)),
    Wrong("seat.taken", between, m.TakeSeat(seat=1), player(3)),
    Wrong("seat.one_per_player", between, m.TakeSeat(seat=3), player(1)),
    Wrong("seat.player_id_too_long", between, m.TakeSeat(seat=3), Actor("p" * (MAX_PLAYER_ID_CHARS + 1), "player")),
    Wrong("seat.not_seated", between, LEAVE, player(3)),
    Wrong("seat.stake_down", betting, LEAVE, player(1)),
    Wrong("seat.stake_down", lambda: given_trying(given_rampo(), 8), LEAVE, player(1)),
    Wrong("seat.not_seated", between, CASH_OUT, player(3)),
    Wrong("seat.credit_too_low", between, m.CashOut(amount=10_001), player(1)),
    Wrong("seat.credit_too_low", betting, m.CashOut(amount=9_001), player(1)),
    Wrong("session.not_open", never_opened, _credit(1), SYSTEM),
    Wrong("seat.not_yours", between, _credit(2), SYSTEM),
    Wrong("seat.not_yours", between, _credit(5), SYSTEM),
    Wrong("seat.meter_full", between, _credit(1, METER_CENTS), SYSTEM),
]

_ALLOWANCES = [
    *(Wrong(code, partial(told, 500, code), m.PlaceWager(spot="2", amount=501), player()) for code in sorted(REFUSALS)),
    Wrong("exclusion.self", partial(told, 0, "exclusion.self"), m.TakeSeat(seat=3), player(3)),
    Wrong("exclusion.casino", partial(told, 0, "exclusion.casino"), m.TakeSeat(seat=3), player(3)),
    Wrong("exclusion.self", told_in_a_game, TryRappel(), player()),
    Wrong("session.not_open", never_opened, _told(0, "limit.stake"), SYSTEM),
    Wrong("role.not_allowed", between, _told(0, "limit.stake"), player()),
]

_FLOAT = [
    Wrong("session.not_open", prepared, COUNT, CROUPIER),
    Wrong("session.coup_running", betting, COUNT, CROUPIER),
    Wrong("role.not_allowed", between, COUNT, player()),
    Wrong("session.not_open", never_opened, MoveFloat(number=1, request="r-1", amount=100), SYSTEM),
    Wrong("session.not_open", prepared, MoveFloat(number=1, request="r-1", amount=100), SYSTEM),
    Wrong("float.too_low", between, MoveFloat(number=1, request="r-1", amount=-500_001), SYSTEM),
]

_COUP = [
    Wrong("session.not_open", prepared, OPEN, CROUPIER),
    Wrong("coup.running", locked, OPEN, CROUPIER),
    Wrong("coup.last_played", last_played, OPEN, CROUPIER),
    Wrong("coup.none", between, CLOSE, CROUPIER),
    Wrong("coup.none", between, VOID, PIT_BOSS),
    Wrong("wager.betting_closed", between, WAGER, player()),
    Wrong("wager.betting_closed", locked, WAGER, player()),
    Wrong("wager.betting_closed", prepared, WAGER, player()),
    Wrong("seat.not_seated", betting, WAGER, player(3)),
    Wrong("seat.credit_too_low", poor, m.PlaceWager(spot="2", amount=401), player()),
    Wrong("wager.too_many_spots", every_spot, m.PlaceWager(spot=last_spot(), amount=100), player()),
    Wrong("wager.betting_closed", locked, TAKE_BACK, player()),
    Wrong("wager.none", betting, m.TakeBackWager(spot="4"), player()),
    Wrong("wager.none", betting, TAKE_BACK, player(2)),
    Wrong("seat.not_seated", betting, TAKE_BACK, player(3)),
    Wrong("game.other", betting, r.ThrowDice(), player()),
    Wrong("session.not_open", prepared, r.ThrowDice(), player()),
    Wrong("role.not_allowed", between, OPEN, player()),
    Wrong("role.not_allowed", betting, WAGER, CROUPIER),
    Wrong("role.not_allowed", betting, VOID, CROUPIER),
]

_OUTCOME = [
    Wrong("outcome.not_now", betting, SEGMENT, CROUPIER),
    Wrong("outcome.not_now", between, CONFIRM, CROUPIER),
    Wrong("outcome.not_now", between, CORRECT, PIT_BOSS),
    Wrong("outcome.from_rng", locked, SEGMENT, CROUPIER),
    Wrong("outcome.other_coup", at_the_console, _record("3", coup=9), CROUPIER),
    Wrong("outcome.not_awaited", at_the_console, _record("3", name="bonus"), CROUPIER),
    Wrong("outcome.wrong_count", at_the_console, _record("3", "4"), CROUPIER),
    Wrong("outcome.unknown_face", at_the_console, _record("53"), CROUPIER),
    Wrong("outcome.unknown_face", at_the_console, _record("0"), CROUPIER),
    Wrong("outcome.console_speaks", at_the_console, SEGMENT, COMMITTEE),
    Wrong("outcome.no_device", at_the_console, SEGMENT, DEVICE),
    Wrong("outcome.recorded", recorded, _record("4"), CROUPIER),
    Wrong("outcome.not_recorded", at_the_console, CONFIRM, CROUPIER),
    Wrong("outcome.not_recorded", at_the_console, CORRECT, PIT_BOSS),
    Wrong("outcome.wrong_count", recorded, replace(CORRECT, faces=("4", "5")), PIT_BOSS),
    Wrong("outcome.unknown_face", recorded, replace(CORRECT, faces=("X",)), PIT_BOSS),
    Wrong("role.not_allowed", recorded, CORRECT, CROUPIER),
    Wrong("outcome.device_speaks", read_by_a_device, DICE, CROUPIER),
    Wrong("outcome.manual_mode", manual_mode, DICE, DEVICE),
    Wrong("outcome.manual_mode", manual_mode, DICE, CROUPIER),
    Wrong("outcome.sealed", dealt_by_a_device, o.CorrectOutcome(name="cards", faces=("2P",), reason="x"), PIT_BOSS),
    Wrong("outcome.stakes_moved", stakes_moved, o.CorrectOutcome(name="jet-1", faces=("3", "9"), reason="x"), PIT_BOSS),
]

WRONG = [*_SESSION, *_SEATS, *_ALLOWANCES, *_FLOAT, *_COUP, *_OUTCOME]
