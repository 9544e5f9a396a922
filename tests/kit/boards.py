"""Canned boards of a wheel table, in the phases that a screen must show, and a house that shows them."""

from collections.abc import Callable

import msgspec

from libs.draws.proof import CoupProof
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.rng import UNHEALTHY
from libs.kernel.envelope import EventRecord, FeedEntry
from libs.kernel.game import Announcement, Outcome, Row
from libs.runtime.httpkit import Readiness
from libs.table.board import Board, BoardSeat, PastCoup, board_of
from libs.table.held_up import HELD
from tests.kit.given import GivenTable

NOW_MS = 1_795_000_000_000

FAITES_VOS_JEUX = Announcement("faites_vos_jeux", "Faites vos jeux", "Place your bets")
RIEN_NE_VA_PLUS = Announcement("rien_ne_va_plus", "Rien ne va plus", "No more bets")
VOID = Announcement("coup_nul", "Lancer annulé, mises recréditées", "Launch annulled, stakes credited back")
CLOSED = Announcement("fermee", "Table fermée", "Table closed")

_MAIN = {
    "2": ("Vert foncé 2", "Dark green 2", "circle", "dark-green", "1", 10_000),
    "4": ("Vert clair 4", "Light green 4", "square", "light-green", "3", 5_000),
    "6": ("Jaune 6", "Yellow 6", "triangle", "yellow", "5", 2_500),
    "16": ("Rouge 16", "Red 16", "diamond", "red", "15", 1_200),
    "24": ("Orange 24", "Orange 24", "hexagon", "orange", "23", 1_000),
    "48": ("Bleu ciel 48", "Sky blue 48", "star", "sky-blue", "47", 500),
    "BONUS": ("Violet Bonus", "Violet Bonus", "pentagon", "violet", "0.5-100", 1_000),
}
_INNER = {
    "5": ("Bonus vert 5", "Bonus green 5", "circle", "green", "0.5"),
    "20": ("Bonus rouge 20", "Bonus red 20", "diamond", "red", "2"),
    "50": ("Bonus bleu 50", "Bonus blue 50", "square", "blue", "5"),
    "100": ("Bonus orange 100", "Bonus orange 100", "hexagon", "orange", "10"),
    "250": ("Bonus jaune 250", "Bonus yellow 250", "triangle", "yellow", "25"),
    "1000": ("Bonus violet 1000", "Bonus violet 1000", "pentagon", "violet", "100"),
}

ROWS = tuple(Row(spot, *words, edge="1/13", edge_percent="7.69") for spot, words in _MAIN.items())
EXTRA_ROWS = tuple(Row(f"BONUS_{ratio}", *words) for ratio, words in _INNER.items())


def outcome(code: str) -> Outcome:
    """Return the outcome as the wheel names it."""
    name, _, inner = code.partition(":")
    if inner:
        return Outcome(code, *_INNER[inner][:4], short=inner, beside="Bonus")
    return Outcome(code, *_MAIN[name][:4], short=name.capitalize())


def past(coup: int, code: str) -> PastCoup:
    """Return a settled coup."""
    return PastCoup(coup, "settled", outcome(code))


TOO_FEW_TURNS = PastCoup(
    9, "voided", Outcome("spin.too_few_turns", "Moins de deux tours", "Fewer than two turns"), "Moins de deux tours"
)
HISTORY = (
    past(17, "16"), past(16, "2"), past(15, "2"), past(14, "BONUS:250"), past(13, "6"), past(12, "4"), past(11, "2"),
    past(10, "48"), TOO_FEW_TURNS, past(8, "24"), past(7, "4"), past(6, "2"),
)  # fmt: skip
SEATS = tuple(BoardSeat(seat, taken=seat in {1, 2, 5, 6, 8}, staked=seat in {2, 5, 6}) for seat in range(1, 11))

BETTING = Board(
    table="T1",
    pit="pit-1",
    session=4,
    phase="betting",
    announcement=FAITES_VOS_JEUX,
    game="wheel",
    title=Announcement("roue", "Roue de la chance électronique", "Electronic wheel of fortune"),
    coup=18,
    closes_at_ms=NOW_MS + 22_400,
    minimum=100,
    source="rng",
    paytable="ROUE-MAISON-1",
    rows=ROWS,
    extra_rows=EXTRA_ROWS,
    last=HISTORY[0],
    history=HISTORY,
    seats=SEATS,
    options={"bonus_stake": 1_000},
    facts={"next_direction": "anticlockwise"},
)
_replace = msgspec.structs.replace
LOCKED = _replace(BETTING, phase="locked", announcement=RIEN_NE_VA_PLUS, closes_at_ms=None)
TURNING = _replace(LOCKED, phase="drawing", facts={"direction": "anticlockwise", "ring": "main"})
HELD_UP = _replace(
    TURNING, phase="locked", announcement=HELD, notes=(Announcement(UNHEALTHY.code, UNHEALTHY.fr, UNHEALTHY.en),)
)
_SEVENTEENTH = {"phase": "settled", "closes_at_ms": None, "coup": 17}
SETTLED = _replace(BETTING, announcement=Announcement("resultat", "Rouge 16", "Red 16"), **_SEVENTEENTH)
_BONUS = past(17, "BONUS:1000")
SETTLED_BONUS = _replace(
    SETTLED,
    announcement=Announcement("resultat", "Bonus violet 1000", "Bonus violet 1000"),
    last=_BONUS,
    history=(_BONUS, *HISTORY[1:]),
)
VOIDED = _replace(SETTLED, phase="idle", announcement=VOID, last=TOO_FEW_TURNS, history=HISTORY[8:])
LAST_COUPS = _replace(
    BETTING,
    last_coups_left=3,
    closing=Announcement("trois_derniers", "Les trois derniers lancers", "The last three spins"),
)
NEVER_OPENED = Board(table="T1", pit="pit-1", session=0, phase="closed", announcement=CLOSED)


def board(table: GivenTable) -> Board:
    """Return the table's board at the time that canned houses show."""
    shown = board_of(table.state)
    return _replace(
        shown,
        closes_at_ms=shown.closes_at_ms and NOW_MS + 9_000,
        decision_due_ms=shown.decision_due_ms and NOW_MS + 9_000,
    )


class CannedHouse:
    """Shows the boards that it is given; `tell` plays a feed entry of a table."""

    def __init__(self, *boards: Board) -> None:
        self.shown = {board.table: board for board in boards}
        self.versions = dict.fromkeys(self.shown, 1)
        self.is_live = True
        self.clock_ms = NOW_MS
        self.proven: list[CoupProof] = []
        self._hears: list[Callable[[FeedEntry, bytes], None]] = []

    def tables(self) -> list[str]:
        """As `services.display.boards.House` says."""
        return list(self.shown)

    def board(self, table: str) -> Board:
        """As `services.display.boards.House` says."""
        return self.shown[table]

    async def proofs(self, table: str, session: int) -> list[CoupProof]:
        """As `services.display.boards.House` says."""
        return [proof for proof in self.proven if (proof.table, proof.session) == (table, session)]

    def position(self, table: str) -> str:
        """As `services.display.boards.House` says."""
        board = self.shown[table]
        return f"{table}/{board.session}:{self.versions[table]}" if board.session else ""

    def listen(self, hear: Callable[[FeedEntry, bytes], None]) -> Callable[[], None]:
        """As `services.display.boards.House` says."""
        self._hears.append(hear)
        return lambda: self._hears.remove(hear)

    def live(self) -> bool:
        """As `services.display.boards.House` says."""
        return self.is_live

    def now_ms(self) -> int:
        """As `services.display.boards.House` says."""
        return self.clock_ms

    def readiness(self) -> Readiness:
        """As `services.display.boards.House` says."""
        return Readiness(self.is_live, {"pit-1": "live" if self.is_live else "lost"})

    def tell(self, board: Board) -> None:
        """Show a new board and say so on the feed."""
        table = board.table
        self.shown[table] = board
        self.versions[table] += 1
        record = EventRecord(
            f"{table}/{board.session}", self.versions[table], self.clock_ms, SYSTEM, "test", msgspec.Raw(b"{}")
        )
        for hear in tuple(self._hears):
            hear(FeedEntry(events=(record,)), b"")
