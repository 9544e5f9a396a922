"""What people at a table of any game might wish to say now; whether it is allowed is the decider's business."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from libs.games import GAMES
from libs.kernel.actors import SYSTEM, Actor, Role
from libs.kernel.allowances import REFUSALS, Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import UNHEALTHY, RevealSeed, SeedGivenUp, SeedRevealed
from libs.kernel.contracts.table import MoveFloat, SetAllowance
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import BoardOutcome, board_of
from libs.table.float_messages import CountFloat
from libs.table.interruption_messages import InterruptSession
from libs.table.react import react
from libs.table.state import hosted
from tests.kit.given import ALL_ROLES, COMMITTEE, CROUPIER, DEVICE, PIT_BOSS, TECHNICIAN, GivenTable, player
from tests.kit.seeds import said_of_seeds
from tests.kit.words import any_word

Wish = tuple[Command, Actor]

PLAYERS = 4
TRIES = 3
"""How many words of a kind somebody thinks of before saying none."""
VOID_ONE_IN, INTERRUPT_ONE_IN = 4, 12
"""How often it is thought of, by those whose business is to disturb."""
ODD_SEED_ONE_IN = 12
"""How often the RNG does not say of a seed what it should."""
MALFORMED = Refusal("draw.bad_id", "Mal formé.", "Malformed.")


def staff(role: Role) -> Actor:
    """Return the one person (or machine) of a role; players have numbers."""
    known = {who.role: who for who in (CROUPIER, PIT_BOSS, COMMITTEE, DEVICE, TECHNICIAN)}
    return known.get(role) or Actor(f"{role}-1", role)


def seated(table: GivenTable) -> list[Actor]:
    """Return the players who sit at the table."""
    return [Actor(taken.player, "player") for taken in table.state.seats.values()]


# -- playing ------------------------------------------------------------------------------------------------------
def words(table: GivenTable, chance: Random, roles: set[Role] | None = None) -> list[Wish]:
    """Return words of the game that somebody (of these roles) might say now."""
    board, found = board_of(table.state), list[Wish]()
    for kind, allowed in hosted(table.state)[0].roles.items():
        for role in sorted(allowed & roles if roles else allowed):
            speakers = seated(table) if role == "player" else [staff(role)]
            found += [(any_word(kind, board, chance), who) for who in speakers for _ in range(TRIES)]
    return found


def wagers(table: GivenTable, chance: Random) -> list[Wish]:
    """Return stakes that players might make now: a spot of the layout, an amount that is heard of there."""
    terms, found = hosted(table.state)[1], list[Wish]()
    for who in seated(table):
        for _ in range(2 * TRIES):
            spot = chance.choice(sorted(terms.maxima))
            amount = chance.choice([terms.minimum * times for times in (1, 1, 2, 3)] + [terms.maxima[spot]])
            found.append((m.PlaceWager(spot=spot, amount=amount), who))
    return found


class Dice:
    """Numbers of any draw: the same as before, and the highest, more often than by chance."""

    def __init__(self) -> None:
        self._last: tuple[int, ...] = ()

    def values(self, bounds: Sequence[int], chance: Random) -> tuple[int, ...]:
        """Return values within bounds."""
        if not chance.randrange(5) and len(self._last) == len(bounds):
            return tuple(min(value, bound - 1) for value, bound in zip(self._last, bounds, strict=True))
        self._last = tuple(bound - 1 if not chance.randrange(6) else chance.randrange(bound) for bound in bounds)
        return self._last


def record(wanted: BoardOutcome, dice: Dice, chance: Random) -> Wish:
    """Return a record of any faces by whoever must make it; seldom a device detects none."""
    values = dice.values([len(choice) for choice in wanted.choices], chance)
    faces = tuple(choice[value] for choice, value in zip(wanted.choices, values, strict=True))
    undetected = wanted.by == "device" and not chance.randrange(12)
    who = {"device": DEVICE, "manual": PIT_BOSS, "console": CROUPIER}[wanted.by]
    return o.RecordOutcome(name=wanted.name, faces=None if undetected else faces), who


# -- disturbing ---------------------------------------------------------------------------------------------------
def disturbances(table: GivenTable, chance: Random, seats: int, amount: int) -> list[Wish]:
    """Return what people who come, go, announce, close, void or interrupt might say."""
    newcomer = player(chance.randrange(1, PLAYERS + 1))
    moves = 1 + (table.state.float_answer.number if table.state.float_answer else 0)
    found: list[Wish] = [
        (_allowance(table, chance, amount), SYSTEM),
        (m.AnnounceLastCoups(), PIT_BOSS),
        (CountFloat(counted=table.state.float_balance), CROUPIER),
        (MoveFloat(number=moves, request=f"r-{moves}", amount=chance.choice([amount, -amount, -(10**9)])), SYSTEM),
        (m.CloseSession(), COMMITTEE),
        (m.CheckEquipment(), TECHNICIAN),
        (m.TakeSeat(seat=chance.randrange(1, seats + 1)), newcomer),
        (table.posted(min(table.state.owed, default=0)), SYSTEM),
    ]
    for who in seated(table):
        found += [(m.LeaveSeat(), who), (m.CashOut(amount=chance.choice([1, amount])), who)]
        found += [(m.TakeBackWager(spot=spot), who) for spot in table.state.seats[table.state.places[who.id]].stakes]
    if not chance.randrange(VOID_ONE_IN):
        draw = next(iter(table.state.draws), "draw:nothing")
        failed = Answered(to=draw, refusal=MALFORMED)
        found += [(m.VoidCoup(reason="power cut"), PIT_BOSS), (failed, SYSTEM)]
    found.append((Answered(to=next(iter(table.state.draws), "draw:nothing"), refusal=UNHEALTHY), SYSTEM))
    if not chance.randrange(INTERRUPT_ONE_IN):
        found.append((InterruptSession(reason="water damage"), COMMITTEE))
    return found


def _allowance(table: GivenTable, chance: Random, amount: int) -> SetAllowance:
    """Return a next word of the ledger about what somebody may stake, be he here or not."""
    who = player(chance.randrange(1, PLAYERS + 1)).id
    number = 1 + max((heard.said.allowance.number for heard in table.state.allowances.values()), default=0)
    word = Allowance(number, chance.choice([None, None, 0, amount, 2 * amount]), chance.choice(sorted(REFUSALS)))
    return SetAllowance(player=who, allowance=word, known=chance.randrange(number))


def seeds_told(table: GivenTable, chance: Random | None = None) -> list[Wish]:
    """Return what the RNG says to all that it is asked about seeds; by chance that it cannot, or what does not fit."""
    found = list[Wish]()
    for debt in react(table.state):
        honest = said_of_seeds(debt.command)
        if honest:
            odd = chance is not None and not chance.randrange(ODD_SEED_ONE_IN)
            said = _odd_seed(debt.command, chance) if odd and chance else Answered(to="", events=honest)
            found.append((replace(said, to=debt.command_id), SYSTEM))
    return found


def _odd_seed(asked: Command, chance: Random) -> Answered:
    """Return what an RNG says that cannot bind itself, has lost a seed, or shows another one."""
    if not isinstance(asked, RevealSeed):
        return Answered(to="", refusal=UNHEALTHY)
    lost, other = SeedGivenUp(seed_id=asked.seed_id), SeedRevealed(seed_id=asked.seed_id, seed="00" * 32)
    facts = [Answered(to="", events=(fact,)) for fact in (lost, other)]
    return chance.choice([*facts, Answered(to="", refusal=MALFORMED)])


def corrections(table: GivenTable, dice: Dice, chance: Random) -> list[Wish]:
    """Return what might be said against outcomes that were recorded: by a pit boss, or by a device that says other."""
    found = list[Wish]()
    for wanted in (*table.state.awaited.values(), *(stands.outcome for stands in table.state.standing)):
        values = dice.values(wanted.bounds, chance)
        faces = tuple(hosted(table.state)[0].face(wanted.name, value) for value in values)
        found.append((o.CorrectOutcome(name=wanted.name, faces=faces, reason="misread"), PIT_BOSS))
        found.append((o.RecordOutcome(name=wanted.name, faces=faces), DEVICE))
    return found


def anything(table: GivenTable, chance: Random) -> Wish:
    """Return anything that anybody might say, of this game or another, allowed or not."""
    kinds = sorted((kind for game in GAMES.values() for kind in game.roles), key=lambda kind: kind.__name__)
    board, terms = board_of(table.state), table.state.terms
    who = chance.choice([*(player(number) for number in range(1, PLAYERS + 2)), *map(staff, ALL_ROLES[1:])])
    spot, amount = chance.choice(["NOWHERE", *sorted(terms.maxima if terms else ())]), chance.choice([1, 99, 10**12])
    said: list[Command] = [
        m.PlaceWager(spot=spot, amount=amount),
        m.TakeBackWager(spot=spot),
        m.TakeSeat(seat=chance.randrange(1, 65)),
        m.OpenBetting(),
        m.CloseBetting(),
        o.RecordOutcome(name="main", faces=("1",)),
        o.ConfirmOutcome(name="cards"),
        Answered(to="nothing"),
        *(any_word(kind, board, chance) for kind in chance.sample(kinds, 4)),
    ]
    return chance.choice(said), who
