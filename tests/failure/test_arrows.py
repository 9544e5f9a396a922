"""Kill -9 at each arrow of a buy-in and of a cash-out; `make soak ARGS="--arrows 20"` does so for half an hour."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.runtime.local import children
from tests.kit.aftermath import books_agree
from tests.kit.arrows import POINTS, VICTIMS, Victim, besieged
from tests.kit.redis_server import ServerProcess

pytestmark = [pytest.mark.redis, pytest.mark.failure]


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of this test alone, which keeps everything on disk before it answers."""
    with ServerProcess() as process:
        yield process


async def test_money_survives_a_death_at_each_arrow(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At either end of each arrow somebody dies: all money is where it belongs, and everybody gets one answer."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.1)
    async with besieged(tmp_path / "casino", server, lease_ms=500) as siege:
        for number, point in enumerate(POINTS):
            # At one end the server dies, at the other one of the two services, in turns.
            victim: Victim = "redis" if number % 2 else VICTIMS[number // 2 % 2]
            await siege.kill_at(point, victim)
        assert {*VICTIMS} == {victim for _, victim in siege.kills}
        report = await books_agree(siege.scene)
        assert 0 == report.owed
