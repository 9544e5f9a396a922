"""The register of persons through the door: real rules, real keys, a log and a store in memory."""

import asyncio
import json
import unicodedata
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.contracts.wallet_limits import ExclusionKind, Player
from libs.kernel.ids import PERSONS_SHARD
from libs.kernel.limits import MAX_DOCUMENT_CHARS, MAX_NAME_CHARS, PERSON_LOOK_MS
from libs.persons.personal import PersonalData
from services.gateway.register import _claim
from tests.kit.door import error_of
from tests.kit.register import (
    BORN,
    DOCUMENT,
    NAME,
    PAPERS,
    AwayPersonKeys,
    Counter,
    counter,
    found_in,
)
from tests.kit.shard_run import stream_of, tags

NOBODY = "p-aaaaaaaaaaaaaaaa"
STREAM = "persons/1"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def store() -> AwayPersonKeys:
    return AwayPersonKeys()


@pytest.fixture
async def desk(log: MemoryLog, store: AwayPersonKeys) -> AsyncIterator[Counter]:
    async with counter(log, store) as it:
        yield it


async def logged(log: MemoryLog) -> list[str]:
    """Return the tags of the register's events."""
    return tags(await stream_of(log, PERSONS_SHARD, STREAM))


# -- the way of a person ------------------------------------------------------------------------------------------
async def test_a_person_is_registered_found_and_shown_as_written(log: MemoryLog, desk: Counter) -> None:
    """A pseudonym for the papers; in any spelling the same pseudonym; looked at, the papers as they were written."""
    player = await desk.register()
    found = await desk.post("/find", {"name": "ZOE  MULLER LUDENSCHEIDT", "birth_date": BORN, "purpose": "cage"})
    assert (200, {"player": player, "excluded": "", "accepted": True}) == (found.status_code, found.json())
    shown = await desk.look(player)
    assert (200, {"player": player, "person": PAPERS, "accepted": True}) == (shown.status_code, shown.json())
    assert ["PersonsOpened", "PersonRegistered", "PersonLookedAt", "PersonLookedAt"] == [
        tag.removeprefix("persons.") for tag in await logged(log)
    ]
    looks = [msgspec.json.decode(record.body) for record in (await stream_of(log, PERSONS_SHARD, STREAM))[2:]]
    assert [(player, "pseudonym", "cage"), (player, "data", "cage")] == [
        (look["player"], look["looked"], look["purpose"]) for look in looks
    ]


async def test_an_excluded_person_who_comes_again_is_recognised(desk: Counter) -> None:
    """Registered again, or only asked for, in another spelling: the same player, and that he may not play."""
    player = await desk.register()
    desk.players[player] = Player(exclusions={"self": "2026-12-24"})
    again = await desk.post("", {"person": PAPERS})
    found = await desk.post("/find", {"name": "ZOE  MULLER LUDENSCHEIDT", "birth_date": BORN, "purpose": "cage"})
    assert [(player, "exclusion.self")] * 2 == [(a.json()["player"], a.json()["excluded"]) for a in (again, found)]
    other = (await desk.post("", {"person": {**PAPERS, "document": "X 1"}})).json()["refusal"]
    assert ("person.known", True) == (other["code"], f"{player}. This player has excluded himself" in other["en"])
    desk.players[player] = Player(exclusions={"self": "2026-11-30"})
    assert "" == (await desk.post("", {"person": PAPERS})).json()["excluded"]


@pytest.mark.parametrize("kind", ["self", "casino"])
async def test_an_excluded_person_is_not_forgotten(store: AwayPersonKeys, desk: Counter, kind: ExclusionKind) -> None:
    """Nobody ends an exclusion by being forgotten; an authority can order it, and is told what goes with the person."""
    player = await desk.register()
    desk.players[player] = Player(exclusions={kind: None})
    for reason in ("person", "retention_over", "error"):
        refused = await desk.forget(player, reason)
        assert (409, "person.excluded") == (refused.status_code, refused.json()["refusal"]["code"])
    assert [player] == list(store.keys)
    ordered = await desk.forget(player, "authority")
    assert (200, f"exclusion.{kind}") == (ordered.status_code, ordered.json()["excluded"])
    assert {} == store.keys


async def test_what_was_said_of_forgetting_is_said_again(store: AwayPersonKeys, desk: Counter) -> None:
    """An exclusion told in between changes neither a yes nor a no that was given: each id keeps its answer."""
    player, excluded = await desk.register(), Player(exclusions={"self": None})
    desk.players[player] = excluded
    refused = await desk.forget(player, command_id="no")
    desk.players.clear()
    again = await desk.forget(player, command_id="no")
    assert [(409, refused.json())] == [(again.status_code, again.json())]
    assert [player] == list(store.keys)
    assert 200 == (await desk.forget(player, command_id="yes")).status_code
    desk.players[player] = excluded
    assert (200, True) == ((told := await desk.forget(player, command_id="yes")).status_code, told.json()["accepted"])


async def test_an_exclusion_that_is_over_keeps_nobody_in_the_register(desk: Counter) -> None:
    """From its day on the person is forgotten like any other."""
    player = await desk.register()
    desk.players[player] = Player(exclusions={"self": "2026-11-30"})
    forgotten = await desk.forget(player)
    assert (200, "") == (forgotten.status_code, forgotten.json()["excluded"])


async def test_while_the_ledger_is_unread_nobody_is_told_who_may_play(store: AwayPersonKeys, desk: Counter) -> None:
    """A door that has just started does not know who is excluded: it registers, finds and forgets nobody yet."""
    player = await desk.register()
    desk.house.has_read = False
    find = {"name": NAME, "birth_date": BORN, "purpose": "cage"}
    for path, body, role in (
        ("", {"person": PAPERS}, "cashier"),
        ("/find", find, "cashier"),
        (f"/{player}/forget", {"reason": "person"}, "committee_member"),
    ):
        assert (503, "log.unread", "") == error_of(await desk.post(path, body, role))
    assert [player] == list(store.keys)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
async def test_another_form_of_the_name_is_the_same_person(desk: Counter, form: Any) -> None:
    """Registered again in another Unicode form: refused with the pseudonym that the person has, nothing is doubled."""
    player = await desk.register({**PAPERS, "name": unicodedata.normalize("NFC", "Zoé Strauß ﬁn")})
    other = {**PAPERS, "name": unicodedata.normalize(form, "ZOÉ STRAUSS FIN")}
    again = await desk.post("", {"person": other})
    assert (409, "person.known") == (again.status_code, again.json()["refusal"]["code"])
    assert player in again.json()["refusal"]["fr"]
    assert "Zoé Strauß ﬁn" == (await desk.look(player)).json()["person"]["name"]
    assert 1 == desk.state.kept


async def test_the_same_papers_again_are_known(desk: Counter) -> None:
    """The same answer to a repeated id; to a new id the same pseudonym, said to be known; other data, a conflict."""
    first = await desk.post("", {"person": PAPERS}, command_id="a")
    again = await desk.post("", {"person": PAPERS}, command_id="a")
    assert (200, first.json()) == (again.status_code, again.json())
    other = await desk.post("", {"person": PAPERS}, command_id="b")
    assert {**first.json(), "known": True} == other.json()
    conflict = await desk.post("", {"person": {**PAPERS, "document": "X"}}, command_id="a")
    assert (409, "command.conflict") == (conflict.status_code, conflict.json()["refusal"]["code"])


async def test_two_persons_of_one_name(desk: Counter) -> None:
    """Born on different days they are two, and each is shown his own papers."""
    other = {**PAPERS, "birth_date": "1981-01-01", "document": "B"}
    one, two = await desk.register(), await desk.register(other)
    assert one != two
    assert [PAPERS, other] == [(await desk.look(player)).json()["person"] for player in (one, two)]


# -- forgetting ---------------------------------------------------------------------------------------------------
async def test_forgetting_destroys_the_key_and_changes_nothing_in_the_log(
    log: MemoryLog, store: AwayPersonKeys, desk: Counter
) -> None:
    """No key, no index entry, no answer; what was in the log is there to the byte; and the person is new when back."""
    player = await desk.register()
    before = await stream_of(log, PERSONS_SHARD, STREAM)
    forgotten = await desk.forget(player)
    assert (200, True) == (forgotten.status_code, forgotten.json()["key_destroyed"])
    assert ({}, {}) == (store.keys, store.index)
    assert before == (await stream_of(log, PERSONS_SHARD, STREAM))[: len(before)]
    for answer in (await desk.look(player), await desk.forget(player)):
        told = answer.json()
        assert answer.status_code == 200 or "person.forgotten" == told["refusal"]["code"]
        assert "person" not in told
    gone = await desk.post("/find", {"name": NAME, "birth_date": BORN, "purpose": "cage"})
    assert (409, "person.unknown") == (gone.status_code, gone.json()["refusal"]["code"])
    assert player != await desk.register()


async def test_a_key_that_could_not_be_destroyed_is_destroyed_by_the_next_door(
    log: MemoryLog, store: AwayPersonKeys
) -> None:
    """The store is away, then the door dies: forgotten is forgotten at once, and another door destroys and confirms."""
    async with counter(log, store) as desk:
        player = await desk.register()
        store.away.add("destroy")
        forgotten = await desk.forget(player)
        assert (200, False) == (forgotten.status_code, forgotten.json()["key_destroyed"])
        assert "person.forgotten" == (await desk.look(player)).json()["refusal"]["code"]
        assert "person.forgotten" == (await desk.post("", {"person": PAPERS})).json()["refusal"]["code"]
        assert player in store.keys
    store.away.clear()
    async with counter(log, store) as desk:
        assert desk.lockup is not None
        await desk.keeper.destroy_forgotten(desk.lockup)
        await desk.keeper.destroy_forgotten(desk.lockup)
        await desk.run.take()
        assert ({}, {}) == (store.keys, store.index)
        assert {} == desk.state.destroying
    assert "persons.KeyDestroyed" == (await logged(log))[-1]
    assert 1 == (await logged(log)).count("persons.KeyDestroyed")


async def test_a_key_that_comes_back_with_an_old_backup_goes_again(store: AwayPersonKeys, desk: Counter) -> None:
    """The store is set back to a copy of before the forgetting: the next sweep destroys what the log says is gone."""
    player = await desk.register()
    copy = dict(store.keys), dict(store.index)
    await desk.forget(player)
    store.keys, store.index = copy
    assert "person.forgotten" == (await desk.look(player)).json()["refusal"]["code"]
    assert desk.lockup is not None
    await desk.keeper.sweep(desk.lockup)
    assert ({}, {}) == (store.keys, store.index)


async def test_a_registration_that_a_killed_door_broke_off_is_taken_up(log: MemoryLog, store: AwayPersonKeys) -> None:
    """What is left is a keyed hash and a key of nothing: no sweep touches it, the same person gets it, and may go."""
    async with counter(log, store) as desk:
        assert desk.lockup is not None
        claimed = await _claim(desk.lockup, PersonalData(name=NAME, birth_date=BORN, document=DOCUMENT))
    async with counter(log, store) as desk:
        assert desk.lockup is not None
        await desk.keeper.sweep(desk.lockup)
        gone = await desk.post("/find", {"name": NAME, "birth_date": BORN, "purpose": "cage"})
        assert (409, "person.unknown") == (gone.status_code, gone.json()["refusal"]["code"])
        assert [claimed[0]] == list(store.keys)
        assert [] == found_in(repr((store.keys, store.index)).encode())
        player = await desk.register()
        assert claimed[0] == player
        assert 200 == (await desk.forget(player)).status_code
    assert ({}, {}) == (store.keys, store.index)


# -- other papers -------------------------------------------------------------------------------------------------
async def test_other_papers_are_registered_under_the_same_pseudonym(store: AwayPersonKeys, desk: Counter) -> None:
    """A renewed document, then another name: shown as they are now, found by the new name alone, one registration."""
    player = await desk.register()
    renewed = {**PAPERS, "document": "renewed"}
    assert 200 == (await desk.post(f"/{player}/correct", {"person": renewed})).status_code
    assert renewed == (await desk.look(player)).json()["person"]
    married = {**renewed, "name": "Zoë Ruiz"}
    corrected = await desk.post(f"/{player}/correct", {"person": married}, command_id="m")
    assert (200, {"player": player, "accepted": True}) == (corrected.status_code, corrected.json())
    found = [
        (await desk.post("/find", {"name": name, "birth_date": BORN, "purpose": "cage"})).json().get("player")
        for name in (NAME, "ZOE RUIZ")
    ]
    assert [None, player] == found
    assert (married, 1, 1) == ((await desk.look(player)).json()["person"], desk.state.kept, len(store.index))
    back = {**married, "name": NAME}
    await desk.post(f"/{player}/correct", {"person": back})
    assert 200 == (await desk.post(f"/{player}/correct", {"person": married}, command_id="m")).status_code
    assert (back, 1) == ((await desk.look(player)).json()["person"], len(store.index))
    assert player == (await desk.post("/find", {"name": NAME, "birth_date": BORN, "purpose": "cage"})).json()["player"]
    await desk.forget(player)
    assert ({}, {}) == (store.keys, store.index)


async def test_nobody_becomes_somebody_else(store: AwayPersonKeys, desk: Counter) -> None:
    """The identity of another person is refused with that pseudonym; unknown and forgotten persons stay so."""
    other = {**PAPERS, "name": "Ana Ruiz"}
    player, ana = await desk.register(), await desk.register(other)
    refused = (await desk.post(f"/{player}/correct", {"person": other})).json()["refusal"]
    assert ("person.known", True) == (refused["code"], ana in refused["en"])
    before = dict(store.keys), dict(store.index)
    unknown = await desk.post(f"/{NOBODY}/correct", {"person": PAPERS})
    assert (409, "person.unknown") == (unknown.status_code, unknown.json()["refusal"]["code"])
    assert (400, "person.name", "$.person.name") == error_of(
        await desk.post(f"/{player}/correct", {"person": {**PAPERS, "name": "\u202e"}})
    )
    assert before == (store.keys, store.index)
    store.away.add("destroy")
    await desk.forget(player)
    late = await desk.post(f"/{player}/correct", {"person": {**PAPERS, "name": "Zoë Ruiz"}})
    assert (409, "person.forgotten") == (late.status_code, late.json()["refusal"]["code"])
    assert before == (store.keys, store.index)


# -- looks --------------------------------------------------------------------------------------------------------
async def test_a_look_cannot_be_used_twice(log: MemoryLog, store: AwayPersonKeys) -> None:
    """Repeated under its id within a minute it shows the same; later it shows nothing, because nothing is logged."""
    clock = [0]
    async with counter(log, store, now_ms=lambda: clock[0]) as desk:
        player = await desk.register()
        first = await desk.look(player, "a")
        clock[0] = PERSON_LOOK_MS
        assert first.json() == (await desk.look(player, "a")).json()
        clock[0] += 1
        assert (409, "persons.look_over", "$.command_id") == error_of(await desk.look(player, "a"))
        assert 200 == (await desk.look(player, "b")).status_code
    assert 2 == (await logged(log)).count("persons.PersonLookedAt")


ROUTES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("", {"person": PAPERS}, {"cashier"}),
    (
        "/find",
        {"name": NAME, "birth_date": BORN, "purpose": "cage"},
        {"cashier", "committee_member", "auditor"},
    ),
    (f"/{NOBODY}/correct", {"person": PAPERS}, {"cashier"}),
    (f"/{NOBODY}/look", {"purpose": "cage"}, {"cashier", "committee_member", "auditor"}),
    (f"/{NOBODY}/forget", {"reason": "person"}, {"committee_member"}),
]


@pytest.mark.parametrize(("path", "body", "allowed"), ROUTES)
async def test_others_are_turned_away_before_anything_is_touched(
    log: MemoryLog, store: AwayPersonKeys, desk: Counter, path: str, body: dict[str, Any], allowed: set[str]
) -> None:
    """Whoever may not is refused at the door: nothing is claimed, nothing sent, nothing logged."""
    roles = {"player", "croupier", "pit_boss", "committee_member", "technician", "cashier", "device", "auditor"}
    for role in sorted(roles - allowed):
        assert (403, "role.forbidden", "") == error_of(await desk.post(path, body, role))
    assert ({}, 0) == (store.keys, await log.inbox_length(PERSONS_SHARD, "0-0"))
    for role in sorted(allowed):
        assert (await desk.post(path, body, role)).status_code in {200, 409}


# -- bad input ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("person", "code", "path"),
    [
        ({**PAPERS, "name": "Jean\u202etnopuD"}, "person.name", "$.person.name"),
        ({**PAPERS, "name": "Jean\nDupont"}, "person.name", "$.person.name"),
        ({**PAPERS, "name": " - "}, "person.name", "$.person.name"),
        ({**PAPERS, "birth_date": "1980-02-30"}, "person.birth_date", "$.person.birth_date"),
        ({**PAPERS, "document": "\u200b"}, "person.document", "$.person.document"),
        ({**PAPERS, "name": "x" * (MAX_NAME_CHARS + 1)}, "body.invalid", "$.person.name"),
        ({**PAPERS, "document": "x" * (MAX_DOCUMENT_CHARS + 1)}, "body.invalid", "$.person.document"),
        ({**PAPERS, "name": ""}, "body.invalid", "$.person.name"),
        ({**PAPERS, "name": 7}, "body.invalid", "$.person.name"),
        ({**PAPERS, "address": "here"}, "body.invalid", "$.person"),
        ({"name": NAME, "birth_date": BORN}, "body.invalid", "$.person"),
        (None, "body.invalid", "$.person"),
    ],
)
async def test_bad_papers_are_refused_with_their_place(
    store: AwayPersonKeys, desk: Counter, person: Any, code: str, path: str
) -> None:
    """Nothing is kept, and the sentence does not repeat what was written."""
    answer = await desk.post("", {"person": person})
    assert (400, code, path) == error_of(answer)
    assert ({}, []) == (store.keys, found_in(answer.content))


async def test_bad_words_are_refused(desk: Counter) -> None:
    """A reason that is free text, half a character, no JSON, a strange pseudonym: each has its answer."""
    player = await desk.register()
    free = await desk.post(f"/{player}/forget", {"reason": "Mme Dupont wants it"}, "committee_member")
    assert (400, "body.invalid", "$.reason") == error_of(free)
    assert (400, "body.invalid", "$.purpose") == error_of(await desk.post(f"/{player}/look", {"purpose": "curious"}))
    for strange in ("player-1", "p-AAAAAAAAAAAAAAAA", NOBODY + "x", "Jean Dupont"):
        assert (404, "person.unknown", "") == error_of(await desk.post(f"/{strange}/look", {"purpose": "cage"}))
    bearer = {"authorization": desk.http.headers.get("authorization", "")}
    assert 401 == (await desk.http.post("/v1/persons", content=b"{}", headers=bearer)).status_code
    assert 1 == desk.state.kept


# -- all together -----------------------------------------------------------------------------------------------
async def test_the_document_of_the_door_describes_the_register(desk: Counter) -> None:
    """Each route, with its body and its answer; no raw command of the register is offered anywhere."""
    shown = (await desk.http.get("/openapi.json")).json()
    paths = {path.removeprefix("/v1/persons") for path in shown["paths"] if "persons" in path}
    assert {"", "/find", "/{player}/correct", "/{player}/look", "/{player}/forget"} == paths
    assert "persons.RegisterPerson" not in json.dumps(shown)
    assert {"name", "birth_date", "document"} == shown["components"]["schemas"]["PersonalData"]["properties"].keys()
    assert MAX_NAME_CHARS == shown["components"]["schemas"]["PersonalData"]["properties"]["name"]["maxLength"]
    assert DOCUMENT not in json.dumps(shown)


async def test_many_at_once_are_as_many_persons_as_there_are(log: MemoryLog, store: AwayPersonKeys) -> None:
    """Two persons, registered twenty times at once at two doors in all spellings: two pseudonyms, two registrations."""
    async with counter(log, store) as one, counter(log, store) as desk:
        doors = [desk, one]  # the second has taken the register over; the first only sends
        spellings = [
            unicodedata.normalize(form, name)
            for name in ("Zoë Müller", "ZOE MULLER", "Ana Ruiz", "ÁNA RÚIZ", "ana-ruiz")
            for form in ("NFC", "NFD", "NFKC", "NFKD")
        ]
        asked = [
            doors[place % len(doors)].post("", {"person": {**PAPERS, "name": name}})
            for place, name in enumerate(spellings)
        ]
        sending = asyncio.gather(*asked)
        while not sending.done():
            await desk.run.take()
            await asyncio.sleep(0)
        answers = [answer.json() for answer in await sending]
        assert 2 == desk.state.kept == len(store.keys)
        named = {answer.get("player") or answer["refusal"]["en"].split()[-1].rstrip(".") for answer in answers}
        assert store.keys.keys() == named
