"""The runtime's clock never goes back."""

from libs.runtime.clock import SteadyClock


def test_the_clock_follows_the_machine() -> None:
    """As long as the machine's clock goes forward, it is the time; a jump forward is followed at once."""
    wall, since = [1_000_000], [0]
    clock = SteadyClock(lambda: wall[0], lambda: since[0])
    assert 1_000_000 == clock()
    wall[0], since[0] = 1_000_500, 500
    assert 1_000_500 == clock()
    wall[0], since[0] = 9_000_000, 600
    assert 9_000_000 == clock()


def test_the_clock_goes_on_at_its_pace_when_the_machine_is_set_back() -> None:
    """After the machine's clock was set back by an hour, time goes on from where it was: timers still end in time."""
    wall, since = [10_000_000], [0]
    clock = SteadyClock(lambda: wall[0], lambda: since[0])
    wall[0], since[0] = 10_000_000 - 3_600_000 + 250, 250
    assert 10_000_250 == clock()
    wall[0], since[0] = wall[0] + 30_000, 30_250
    assert 10_030_250 == clock()


def test_the_clock_is_the_machines_again_once_that_has_caught_up() -> None:
    """The difference is not kept for ever."""
    wall, since = [10_000], [0]
    clock = SteadyClock(lambda: wall[0], lambda: since[0])
    wall[0], since[0] = 5_000, 1
    assert 10_001 == clock()
    wall[0], since[0] = 20_000, 2
    assert 20_000 == clock()
    wall[0], since[0] = 20_010, 12
    assert 20_010 == clock()
