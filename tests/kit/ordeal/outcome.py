"""How much an ordeal is to be, what has happened in it, and whether all has happened that should."""

from collections.abc import Iterator

import msgspec

from tests.kit.ordeal.shaky import POINTS, TROUBLES


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How much is to happen."""

    seed: int
    commands: int
    """Of people and tables, repetitions included."""
    kills: int
    freezes: int
    stops: int
    days: int
    rarely: float
    """The share of calls to the log in which each thing goes wrong with the connection."""


def plan_of(seed: int, commands: int) -> Plan:
    """Return a plan in which everything happens often, in a short run and in a long one."""
    return Plan(
        seed=seed,
        commands=commands,
        kills=max(3 * len(POINTS), commands // 2_500),
        freezes=max(20, commands // 4_000),
        stops=max(5, commands // 10_000),
        days=max(8, commands // 10_000),
        rarely=0.008 if commands < 100_000 else 0.001,
    )


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What has happened."""

    commands: int
    """Commands of people and tables that have arrived at the wallet."""
    doubled: int
    """Of these, how many the network has doubled."""
    events: int
    effects: int
    """Different things that happened, each once."""
    repeats: int
    """Wishes that came again and got the same answer: the same fact, or the same refusal."""
    days: int
    processes: int
    kills: dict[str, int]
    """By boundary."""
    met: dict[str, int]
    """What else went wrong."""
    appends: dict[str, int]
    """What became of appends."""
    kinds: dict[str, int]
    """Events by tag."""
    refusals: dict[str, int]
    accounts: dict[str, dict[str, int]]
    """Cents by account, of each part of the wallet."""

    def lines(self) -> Iterator[str]:
        """Say it in short."""
        yield (
            f"{self.commands:,} commands of people and tables, {self.doubled:,} of them doubled on the way, "
            f"on {self.days} gaming days"
        )
        yield f"{self.events:,} events: each prefix of each part's log sums to zero, and nobody is below zero"
        yield (
            f"{self.effects:,} effects, each once; of wishes that came again {self.repeats:,} got the same answer, "
            f"{self.refused('conflict'):,} were refused as others, {self.refused('too_old'):,} as too old"
        )
        fewest = min(self.kills, key=lambda point: self.kills[point])
        yield (
            f"{sum(self.kills.values()):,} kills at {len(self.kills)} boundaries "
            f"(fewest {fewest}: {self.kills[fewest]}), {self.processes:,} processes"
        )
        yield (
            f"{self.appends['Appended']:,} appends; refused: {self.appends.get('Fenced', 0):,} stale epochs, "
            f"{self.appends.get('Conflict', 0):,} stale versions, {self.appends.get('CursorMoved', 0):,} stale cursors"
        )
        yield ", ".join(f"{count:,} x {what}" for what, count in self.met.items())

    def refused(self, what: str) -> int:
        """Return how many commands were refused with a code that ends so."""
        return sum(count for code, count in self.refusals.items() if code.endswith(what))

    def missing(self) -> list[str]:
        """Return what an ordeal must meet and this one has not: then it has proven nothing of it."""
        wanted = {
            "kill": (POINTS, self.kills),
            "trouble": (TROUBLES, self.met),
            "append": (("Fenced", "Conflict", "CursorMoved"), self.appends),
            "event": (KINDS, self.kinds),
            "refusal": (REFUSALS, {code: self.refused(code) for code in REFUSALS}),
        }
        return [f"{what}: {name}" for what, (names, met) in wanted.items() for name in names if not met.get(name)]


KINDS = tuple(
    f"wallet.{name}"
    for name in (
        "Deposited",
        "Withdrawn",
        "BuyInPended",
        "BuyInPosted",
        "BuyInVoided",
        "TablePosted",
        "TransferRefused",
        "TransferReceived",
        "TransfersDelivered",
        "RequestPended",
        "RequestApproved",
        "RequestPosted",
        "RequestVoided",
        "RequestExpired",
        "LedgerClosed",
        "BroughtForward",
        "AllBroughtForward",
    )
)
"""Events that an ordeal must see."""

REFUSALS = ("insufficient", "conflict", "too_old")
"""Refusals that an ordeal must see, by the ends of their codes."""
