"""The register against a simple model, in any order: register, renew, find, look, forget, fail and restart."""

import asyncio
import unicodedata
from dataclasses import dataclass, field
from typing import Any, Literal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.memory import MemoryLog
from libs.eventlog.person_keys import MemoryPersonKeys
from libs.kernel.ids import PERSONS_SHARD
from tests.kit.register import Counter, counter, traces
from tests.kit.shard_run import stream_of

NAMES = ("Zoë Müller-Lüdenscheidt", "ﬁlippo D’Arc-Straßen", "Nguyễn Thị Minh Khai")
BORN = "1971-03-09"
FORMS = ("NFC", "NFD", "NFKC", "NFKD")

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
WHO = st.integers(0, len(NAMES) - 1)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("register"), WHO, st.sampled_from(FORMS), st.booleans()),
        st.tuples(st.just("find"), WHO, st.sampled_from(FORMS), st.booleans()),
        st.tuples(st.sampled_from(["look", "renew", "forget", "look at the forgotten"]), WHO),
        st.tuples(st.sampled_from(["tend", "sweep", "restart", "store away", "store back"])),
    ),
    max_size=25,
)


class _Keys(MemoryPersonKeys):
    """A store in which nothing can be destroyed while it is away."""

    away = False

    async def destroy(self, player: str) -> bool:
        if self.away:
            raise EventLogUnavailable("away")
        return await super().destroy(player)


@dataclass
class _Model:
    """What ought to be the case."""

    here: dict[int, tuple[str, dict[str, str]]] = field(default_factory=dict)
    """Pseudonym and papers, as first written, of whoever is registered."""
    gone: dict[str, int] = field(default_factory=dict)
    """Forgotten pseudonyms, and whose they were."""
    undestroyed: set[str] = field(default_factory=set)


def spelt(who: int, form: Form, capitals: bool) -> str:
    """Return a spelling of a name."""
    name = unicodedata.normalize(form, NAMES[who])
    return name.upper() if capitals else name


async def take(step: tuple[Any, ...], desk: Counter, store: _Keys, model: _Model) -> None:
    """Take a step and compare the answer with the model."""
    match step:
        case ("register", who, form, capitals):
            await register(who, spelt(who, form, capitals), desk, model)
        case ("find", who, form, capitals):
            body = {"name": spelt(who, form, capitals), "birth_date": BORN, "purpose": "table"}
            answer = (await desk.post("/find", body)).json()
            assert (model.here[who][0] if who in model.here else None) == answer.get("player")
        case ("look", who) if who in model.here:
            player, papers = model.here[who]
            assert papers == (await desk.look(player)).json()["person"]
        case ("renew", who) if who in model.here:
            player, papers = model.here[who]
            renewed = {**papers, "document": papers["document"] + "*"[: len(papers["document"]) < 20]}
            assert player == (await desk.post(f"/{player}/correct", {"person": renewed})).json()["player"]
            model.here[who] = player, renewed
        case ("forget", who) if who in model.here:
            player, _ = model.here.pop(who)
            assert store.away != (await desk.forget(player)).json()["key_destroyed"]
            model.gone[player] = who
            if store.away:
                model.undestroyed.add(player)
        case ("look at the forgotten", who):
            for player in [player for player, whose in model.gone.items() if whose == who]:
                assert "person.forgotten" == (await desk.look(player)).json()["refusal"]["code"]
        case (how,):
            await tend(desk, store, model, how)


async def register(who: int, name: str, desk: Counter, model: _Model) -> None:
    """Register somebody, known or not, in some spelling."""
    papers = {"name": name, "birth_date": BORN, "document": f"No {who}"}
    answer = (await desk.post("", {"person": papers})).json()
    waits = any(model.gone[player] == who for player in model.undestroyed)
    if who not in model.here and waits:
        assert "person.forgotten" == answer["refusal"]["code"]
    elif who not in model.here:
        assert not answer["known"]
        assert answer["player"] not in model.gone
        model.here[who] = answer["player"], papers
    elif papers == model.here[who][1]:
        assert (model.here[who][0], True) == (answer["player"], answer["known"])
    else:
        assert "person.known" == answer["refusal"]["code"]
        assert model.here[who][0] in answer["refusal"]["en"]


async def tend(desk: Counter, store: _Keys, model: _Model, how: str) -> None:
    """Let the store go away or come back, or the keeper do what it does from time to time."""
    if how in {"store away", "store back"}:
        store.away = how == "store away"
        return
    assert desk.lockup is not None
    try:
        await (desk.keeper.destroy_forgotten if how == "tend" else desk.keeper.sweep)(desk.lockup)
    except EventLogUnavailable:
        assert store.away
        return
    await desk.run.take()
    if not store.away:
        model.undestroyed.clear()


async def evening(steps: list[tuple[Any, ...]]) -> None:
    """Take all steps; the door and the owner of the register are new after each restart."""
    log, store, model = MemoryLog(), _Keys(), _Model()
    left = iter([*steps, ("store back",), ("restart",), ("tend",), ("sweep",)])
    done = False
    while not done:
        done = True
        async with counter(log, store) as desk:
            for step in left:
                if step == ("restart",):
                    done = False
                    break
                await take(step, desk, store, model)
                assert {player for player, _ in model.here.values()} | model.undestroyed == store.keys.keys()
                assert len(store.index) == len(store.keys)
            if done and model.here | model.gone:
                assert ({}, len(model.here)) == (desk.state.destroying, desk.state.kept)
    written = b"".join([bytes(record.body) for record in await stream_of(log, PERSONS_SHARD, "persons/1")])
    assert [] == [trace for trace in traces(*NAMES) if trace in written]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_the_register_is_what_the_model_says(steps: list[tuple[Any, ...]]) -> None:
    """One pseudonym a person in whatever spelling, papers as first written, forgotten for ever, no key left behind."""
    asyncio.run(evening(steps))
