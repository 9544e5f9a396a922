"""Let the rules decide a table again: what its log says must follow from what it has said before.

The other folds of the audit use none of the deciders' own arithmetic, so they cannot see an outcome or a payment that
was rewritten in all books alike. This is a second look, with the rules themselves: a decision is what one cause led to
at one moment; the command behind it is read off its facts, `decide` says what follows, and the two are compared.

What no log can show is counted: voids for which there is somebody's word alone, and sessions of other rules.
"""

from collections.abc import Sequence

from libs.games import GAMES
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted, Context
from libs.kernel.envelope import EventRecord
from libs.kernel.limits import MAX_EVENTS_PER_DECISION
from libs.kernel.messages import Command, Event, Tick, tag_of
from libs.kernel.refusals import Refusal
from libs.runtime.audit.differences import Told, first_difference
from libs.runtime.audit.report import Faults, Redecided
from libs.table.behind import command_behind
from libs.table.decide import decide
from libs.table.evolve import evolve
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, CoupVoided, SessionOpened
from libs.table.state import TableState, initial


class DecisionAudit:
    """Decides the sessions of one table again, decision by decision, in order."""

    def __init__(self, pit: str, table: str, faults: Faults, counts: Redecided) -> None:
        self.failed: dict[str, tuple[str, int]] = {}
        """Draws that voided their coup because they failed, by id: stream and version of the void."""
        self._pit, self._table, self._faults, self._counts = pit, table, faults, counts
        self._state: TableState | None = initial(table)
        """None behind a fault that nothing can be decided on, until the next session."""
        self._told: list[Told] = []
        """The decision that is being read."""

    def see(self, record: EventRecord, event: Event) -> None:
        """Take the next event of the table."""
        if self._told:
            first = self._told[0][0]
            goes_on = record.cause == first.cause and record.at_ms == first.at_ms and record.actor == first.actor
            if not goes_on or len(self._told) == MAX_EVENTS_PER_DECISION:
                self._decide()
        self._told.append((record, event))

    def end(self, *, whole: bool) -> None:
        """The stream has ended; if it is not `whole`, the last decision may not be."""
        if whole:
            self._decide()
        else:
            self.lose()

    def lose(self) -> None:
        """Forget everything: what follows from a log that is not whole is not known before its next session."""
        self._told, self._state = [], None

    # -- one decision ---------------------------------------------------------------------------------------------
    def _decide(self) -> None:
        """Decide what was read again, and compare; then go on from the state that the log's own facts lead to."""
        told, self._told = self._told, []
        if told and self._state is not None and not self._of_other_rules(self._state, *told[0]):
            command, said, why_nothing = self._said(self._state, told)
            difference = first_difference(told, said, why_nothing)
            if difference is None:
                self._count(told[0][0], command, said)
            else:
                self._fault(told[0][0], *difference)
        self._follow(told)

    def _said(self, state: TableState, told: Sequence[Told]) -> tuple[Command | None, tuple[Event, ...], str]:
        """Return the command behind the facts and what follows from it by the rules; when nothing does, also why."""
        first = told[0][0]
        context = Context(first.at_ms, first.actor, first.cause, self._table, shard=self._pit)
        try:
            command = command_behind(state, [fact for _, fact in told], first.actor)
            decision = Accepted() if command is None else decide(state, command, context)
        except Exception as error:
            # Facts that were rewritten may bring the rules anywhere, but not the audit.
            return None, (), f"the rules break on it, {type(error).__name__}"
        match decision:
            case Accepted(events):
                return command, events, "nobody is late yet" if type(command) is Tick else "no command leads to it"
            case Refusal():
                return command, (), f"{decision.en} ({decision.code})"
            case _:
                return command, (), "it was done before"

    def _follow(self, told: Sequence[Told]) -> None:
        for record, fact in told:
            if fact.opens_volume:
                self._state = initial(self._table)
            if self._state is None:
                return
            try:
                self._state = evolve(self._state, fact)
            except Exception as error:
                # As above; and of what follows nothing is known.
                self._fault(record, 0, f"{tag_of(fact)} cannot be where it is, {type(error).__name__}")
                self._state = None

    def _of_other_rules(self, state: TableState, record: EventRecord, fact: Event) -> bool:
        """Tell whether the session is one of another version of its game's rules.

        What an earlier version has decided is counted. There is no later one, as far as this release can know: whoever
        wants a log believed could name any, and nothing behind it would be checked.
        """
        terms = fact if isinstance(fact, SessionOpened) else state.terms
        if terms is None or terms.game not in GAMES:
            return False
        version, ours = terms.rules_version, GAMES[terms.game].rules_version
        if 1 <= version < ours:
            rules = f"{terms.game}, rules version {version}"
            self._counts.not_checked[rules] = self._counts.not_checked.get(rules, 0) + 1
        elif version != ours and isinstance(fact, SessionOpened):
            what = f"{terms.game} is played by rules version {version}, this release knows none behind {ours}"
            self._faults.add(record.stream, record.version, "rules.unknown", f"{what}: ask the release that opened it")
        return version != ours

    def _count(self, first: EventRecord, command: Command | None, facts: Sequence[Event]) -> None:
        counts = self._counts
        counts.decisions += 1
        for fact in facts:
            if isinstance(fact, CoupSettled):
                counts.settlements += 1
            elif isinstance(fact, StakesReleased):
                counts.releases += 1
            elif isinstance(fact, CoupVoided):
                counts.voids += 1
        # Of every other void the log says why before it: a fact of the game, or time that has passed.
        if isinstance(facts[0], CoupVoided) and type(command) is not Tick:
            counts.voids_by_word += 1
            if isinstance(command, Answered):
                self.failed[command.to] = (first.stream, first.version)

    def _fault(self, record: EventRecord, place: int, what: str) -> None:
        self._faults.add(record.stream, record.version + place, "decision.differs", what)
