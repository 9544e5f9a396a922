"""The kinds of shard and the words each of them understands."""

import pytest

from libs.kernel.contracts.answers import Answered
from libs.kernel.ids import PERSONS_SHARD, RNG_SHARD, WALLET_SHARD
from libs.kernel.messages import Tick, tag_of
from libs.runtime.kinds import PERSONS, PIT, RNG, WALLET, Kind, kind_of


def test_the_name_of_a_shard_says_its_kind() -> None:
    """`wallet-…`, `rng-…` and `persons-…` are theirs; every other name is a pit's."""
    assert (WALLET, RNG, PIT) == (kind_of(WALLET_SHARD), kind_of(RNG_SHARD), kind_of("pit-1"))
    assert PERSONS == kind_of(PERSONS_SHARD)


@pytest.mark.parametrize("kind", [PIT, WALLET, RNG, PERSONS], ids=lambda kind: kind.name)
def test_tags_of_a_kind_are_unique(kind: Kind) -> None:
    """No two commands, and no two events, share a tag: it is the storage format."""
    for classes in (kind.decider.commands, kind.decider.events):
        assert len(classes) == len({tag_of(one) for one in classes})


@pytest.mark.parametrize("kind", [PIT, WALLET, RNG, PERSONS], ids=lambda kind: kind.name)
def test_only_kinds_that_understand_ticks_have_deadlines(kind: Kind) -> None:
    """A book that wants no tick is never fed one."""
    assert Tick in kind.decider.commands or kind.decider.deadline(kind.decider.initial("book")) is None


@pytest.mark.parametrize("kind", [PIT, WALLET], ids=lambda kind: kind.name)
def test_kinds_that_ask_hear_answers(kind: Kind) -> None:
    """Whoever owes a command to another understands the answer."""
    assert Answered in kind.decider.commands
