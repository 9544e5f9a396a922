"""The rules of today say the same again of every log that was ever recorded, and nothing else.

A change of the rules that fails here needs another version of them: the logs of a casino are audited for ever.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from libs.eventlog.codec import BadMessage
from libs.games import GAMES
from libs.kernel.messages import Event
from libs.runtime.audit.differences import Told
from libs.runtime.kinds import PIT
from libs.table.behind import command_behind
from libs.table.messages import SessionOpened, SessionPrepared
from tests.golden.test_golden_logs import DECODER, LOGS, parts
from tests.kit.given import folds
from tests.kit.redeciding import Again, records_of
from tests.kit.tampering import Steps, at, leaves, put


def rules_of(log: Path) -> dict[str, int]:
    """Return the games that a log has a session of, and the version of their rules."""
    facts = [DECODER.decode(line) for line in parts(log)[0]]
    return {fact.game: fact.rules_version for fact in facts if isinstance(fact, SessionOpened)}


OF_TODAY = [log for log in LOGS if all(GAMES[game].rules_version == version for game, version in rules_of(log).items())]
"""Logs of older rules are read for ever, but not decided again."""


def test_there_are_logs_of_the_rules_of_today() -> None:
    """Whoever changes the rules of a game, and so their version, records sessions of it anew."""
    assert {*GAMES} == {log.parent.name for log in OF_TODAY}


@pytest.mark.parametrize("log", OF_TODAY, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_golden_log_is_decided_again(log: Path) -> None:
    """Every wager, outcome, payment and void of every recorded session follows by the rules from what was before it."""
    again = Again(from_the_first=False)
    again.hear([*records_of(parts(log)[0])])
    assert [] == again.faults
    assert {} == again.counts.not_checked


def test_whatever_was_not_said_can_only_be_as_it_is() -> None:
    """Of every kind of fact each value is changed: the audit finds it, unless it is what somebody said.

    Then another command is behind the fact, which might as well have been granted. With what a session is prepared, the
    log of the session before it says.
    """
    seen, unfound = set[type[Event]](), list[str]()
    for log in OF_TODAY:
        told = [*records_of(parts(log)[0])]
        for place, (record, fact) in enumerate(told[1:], start=1):
            if type(fact) not in seen:
                seen.add(type(fact))
                for path, changed in rewritten(bytes(record.body)):
                    if not found(told, place, changed):
                        unfound.append(f"{log.stem} {record.version} {path}")
    assert PIT.decider.events - seen == {SessionPrepared}
    assert [] == unfound


def found(told: list[Told], place: int, changed: bytes) -> bool:
    """Tell whether the audit finds a changed fact in its own decision, or another command is behind it."""
    decision = [at for at, (record, _) in enumerate(told) if record.cause == told[place][0].cause]
    first, last = decision[0], decision[-1]
    false = (replace(told[place][0], body=msgspec.Raw(changed)), PIT.codec.decode_event(changed))
    rewritten_log = [*told[:place], false, *told[place + 1 : last + 1]]
    again = Again(from_the_first=False)
    again.hear(rewritten_log)
    if again.faults or again.counts.not_checked:
        return True
    state, actor = folds([fact for _, fact in told[:first]]), told[place][0].actor
    said, was = (
        command_behind(state, [fact for _, fact in log[first : last + 1]], actor) for log in (rewritten_log, told)
    )
    return said != was


def rewritten(body: bytes) -> Iterator[tuple[Steps, bytes]]:
    """Yield a fact with one value after the other changed, as far as it can then still be read."""
    true = PIT.codec.decode_event(body)
    for path in leaves(msgspec.json.decode(body)):
        false = msgspec.json.decode(body)
        put(false, path, another(at(false, path)))
        try:
            if PIT.codec.decode_event(msgspec.json.encode(false)) != true:
                yield path, msgspec.json.encode(false)
        except BadMessage:
            continue


def another(value: Any) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}9"
        case _:
            return 7
