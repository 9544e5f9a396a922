"""Every message class of some modules, and a strategy for its values."""

import re
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import msgspec
import msgspec.inspect as shapes
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from libs.kernel.messages import Command, Event, Message, tag_of


def messages_of(modules: Iterable[ModuleType]) -> list[type[Message]]:
    """Return the message classes defined in modules, by tag."""
    found = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Message) and kind not in {Message, Command, Event}
    }
    return sorted(found, key=tag_of)


def values_of(kind: type[Message]) -> SearchStrategy[Message]:
    """Return a strategy for values of a message class, within the limits of its fields."""
    made: SearchStrategy[Message] = _values(shapes.type_info(kind)).map(lambda data: msgspec.convert(data, kind))
    return made


def _values(shape: shapes.Type) -> SearchStrategy[Any]:  # noqa: C901 - one case a shape
    """Return a strategy for the JSON of a shape."""
    match shape:
        case shapes.Metadata():
            return _values(shape.type)
        case shapes.NoneType():
            return st.none()
        case shapes.BoolType():
            return st.booleans()
        case shapes.IntType():
            low = shape.ge if shape.ge is not None else (shape.gt + 1 if shape.gt is not None else -(10**15))
            high = shape.le if shape.le is not None else 10**15
            return st.integers(low, high)
        case shapes.StrType():
            if shape.pattern and re.search(shape.pattern, "A") is None:
                return st.dates().map(str)
            # Every other pattern of ours allows these; `msgspec.convert` would tell of one that does not.
            letters = st.sampled_from("AZ09") if shape.pattern else st.characters(codec="utf-8")
            longest = min(shape.max_length or 20, 20)
            return st.text(letters, min_size=shape.min_length or 0, max_size=longest)
        case shapes.LiteralType():
            return st.sampled_from(shape.values)
        case shapes.UnionType():
            return st.one_of([_values(one) for one in shape.types])
        case shapes.TupleType():
            return st.tuples(*map(_values, shape.item_types))
        case shapes.VarTupleType():
            return st.lists(_values(shape.item_type), min_size=shape.min_length or 0, max_size=3)
        case shapes.DictType():
            return st.dictionaries(_values(shape.key_type), _values(shape.value_type), max_size=3)
        case shapes.StructType():
            tag = {shape.tag_field: st.just(shape.tag)} if shape.tag_field else {}
            fields = {field.encode_name: _values(field.type) for field in shape.fields}
            return st.fixed_dictionaries(tag | fields)
    raise TypeError(f"no values are known for {shape}: add its kind here")
