from hypothesis import given
from hypothesis import strategies as st

from libs.kernel.buckets import Buckets, empty, find, items, put

KEYS = st.text(alphabet="abc:é1", max_size=4)


@given(st.lists(st.dictionaries(KEYS, st.integers(), max_size=6), max_size=12))
def test_agrees_with_a_dict_and_never_changes_in_place(steps: list[dict[str, int]]) -> None:
    """After any changes the content is that of a plain dict, and every version seen on the way is still what it was."""
    buckets: Buckets[int] = empty()
    model: dict[str, int] = {}
    seen = []
    for changes in steps:
        seen.append((buckets, dict(model)))
        buckets = put(buckets, changes)
        model.update(changes)
    for version, expected in [*seen, (buckets, model)]:
        assert expected == dict(items(version))
        assert all(value == find(version, key) for key, value in expected.items())
    assert find(buckets, "absent") is None


def test_a_change_makes_new_only_what_it_touches() -> None:
    """Of 10,000 keys, changing two makes at most two small dicts new; all others are shared, so a step stays cheap."""
    before: Buckets[int] = put(empty(), {f"player:player-{number}": number for number in range(10_000)})
    after = put(before, {"player:player-1": 0, "player:player-2": 0})
    pairs = zip(before, after, strict=True)
    fresh = sum(old is not new for one, other in pairs for old, new in zip(one, other, strict=True))
    assert 1 <= fresh <= 2


def test_keys_spread_evenly() -> None:
    """Ordinary account names do not crowd into one small dict: with 24 a dict on average, none holds 80."""
    full: Buckets[int] = put(empty(), {f"player:player-{number}": number for number in range(100_000)})
    assert max(len(leaf) for branch in full for leaf in branch) < 80
