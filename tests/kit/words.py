"""Something to say: any command of any game, made from the shape of its class and from what the board shows.

A player reads the level, the turn, the number of the coup off the board and says it; so do these: a field takes the
fact of its own name, or some number that is on the board. Nothing here knows a game.
"""

from functools import cache
from random import Random
from typing import Any

import msgspec
import msgspec.inspect as shapes

from libs.kernel.messages import Command
from libs.table.board import Board

OTHER_ONE_IN = 3
"""How often a field does not take the fact of its own name."""
TEXTS = ("because", "again")

Facts = dict[str, str | int]


def any_word(kind: type[Command], board: Board, chance: Random) -> Command:
    """Return a command of this class; whether it is allowed now is another question."""
    facts: Facts = {"coup": board.coup, "minimum": board.minimum, **board.options, **board.facts}
    return kind(**{name: _value(name, annotation, facts, chance) for name, annotation in _fields(kind)})


@cache
def _fields(kind: type[Command]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.type) for field in msgspec.structs.fields(kind))


def _value(name: str, annotation: Any, facts: Facts, chance: Random) -> Any:
    """Return a value that the field takes: the fact of its name more often than not, else any other."""
    shown = facts.get(name)
    if shown is not None and chance.randrange(OTHER_ONE_IN) and _takes(annotation, shown):
        return shown
    return chance.choice([value for value in _choices(_shape(annotation), facts, chance) if _takes(annotation, value)])


@cache
def _shape(annotation: Any) -> shapes.Type:
    return shapes.type_info(annotation)


def _choices(shape: shapes.Type, facts: Facts, chance: Random) -> list[Any]:
    match shape:
        case shapes.Metadata():
            return _choices(shape.type, facts, chance)
        case shapes.UnionType():
            return _choices(chance.choice(shape.types), facts, chance)
        case shapes.NoneType():
            return [None]
        case shapes.BoolType():
            return [False, True]
        case shapes.LiteralType():
            return list(shape.values)
        case shapes.IntType():
            shown = [fact for fact in facts.values() if isinstance(fact, int)]
            return [*range(7), *shown, *(number * 2 for number in shown), *(number + 1 for number in shown)]
        case shapes.StrType():
            return [*TEXTS, *map(str, facts.values())]
    raise TypeError(f"nothing is known to say for {shape}: add its kind here")


def _takes(annotation: Any, value: object) -> bool:
    """Tell whether a field of this type takes the value."""
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError:
        return False
    return True
