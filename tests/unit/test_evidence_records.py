"""Records of physical devices, from files and logs: a biased wheel is found within 10,000 spins, a fair one passes."""

import functools
import operator
from pathlib import Path
from typing import Any

import msgspec
import pytest

np = pytest.importorskip("numpy", reason="the extra `evidence` is not installed")
pytest.importorskip("scipy", reason="the extra `evidence` is not installed")
pytest.importorskip("sp80022suite", reason="the extra `evidence` is not installed")

from libs.games.wheel import messages as w  # noqa: E402 - only once it is known that the rest can be imported
from libs.kernel.messages import Event  # noqa: E402 - the same
from libs.table import messages as m  # noqa: E402 - the same
from libs.table import outcome_messages as o  # noqa: E402 - the same
from libs.table.decider import DECIDER  # noqa: E402 - the same
from tests.evidence import records  # noqa: E402 - the same
from tests.evidence.__main__ import main  # noqa: E402 - the same
from tests.evidence.page import page  # noqa: E402 - the same
from tests.evidence.records import RecordError, Records, TooFew, faces_of, from_file, from_log  # noqa: E402 - the same
from tests.evidence.report import Report, of_records  # noqa: E402 - the same
from tests.kit.memory_house import MemoryHouse  # noqa: E402 - the same

SPINS = 10_000
GOLDEN = Path(__file__).parents[1] / "golden" / "wheel"


def spun(chances: Any, seed: int = 1) -> Report:
    """Return the report on so many spins of a wheel with these chances."""
    values = np.random.default_rng(seed).choice(len(chances), SPINS, p=chances / chances.sum())
    return of_records([Records("wheel-1", len(chances), in_a_circle=True, values=values.tolist())], [])


def failed(report: Report) -> set[str]:
    return {one.test for section in report.sections for one in section.findings if one.verdict == "failed"}


@pytest.mark.parametrize("seed", range(20))
def test_a_fair_wheel_passes(seed: int) -> None:
    """Twenty fair wheels of 52 segments, 10,000 spins each: nothing fails."""
    assert spun(np.ones(52), seed).passed


@pytest.mark.parametrize("seed", range(5))
def test_a_tilted_wheel_is_found(seed: int) -> None:
    """A wheel that leans, its lower side coming a tenth more often and its upper side a tenth less."""
    assert "tilt" in failed(spun(1 + 0.1 * np.cos(2 * np.pi * np.arange(52) / 52), seed))


@pytest.mark.parametrize("seed", range(5))
def test_a_favoured_segment_is_found(seed: int) -> None:
    """One segment of 52 that comes half as often again as it should."""
    chances = np.ones(52)
    chances[17] = 1.5
    assert "extreme" in failed(spun(chances, seed))


def test_a_loaded_die_is_found() -> None:
    """A die whose six comes in 19 of 100 throws."""
    assert not spun(np.array([1, 1, 1, 1, 1, 1.17])).passed


def test_a_wheel_that_remembers_is_found() -> None:
    """A hand that stops the wheel near where it was: every segment comes as often, but not one after the other."""
    steps = np.random.default_rng(3).normal(0, 6, SPINS)
    values = np.cumsum(steps).astype(int) % 52
    report = of_records([Records("wheel-1", 52, in_a_circle=True, values=values.tolist())], [])
    assert {"serial correlation", "runs"} <= failed(report)


# -- files --------------------------------------------------------------------------------------------------------
def test_files(tmp_path: Path) -> None:
    """CSV and JSON lines say the same: a face a line, or several thrown together; devices are told apart."""
    table, lines = tmp_path / "dice.csv", tmp_path / "dice.jsonl"
    rows = [(device, face) for face in "123456" * 20 for device in ("red", "blue")]
    table.write_text("time,device,face\n" + "".join(f"x,{device},{face}\n" for device, face in rows))
    lines.write_bytes(b"".join(msgspec.json.encode({"device": d, "face": int(f)}) + b"\n" for d, f in rows) + b"\n")
    read = [from_file(path, faces_of("6"), in_a_circle=False) for path in (table, lines)]
    assert read[0] == read[1]
    assert [("red", 6), ("blue", 6)] == [(one.name, one.bound) for one in read[0]]
    assert [0, 1, 2, 3, 4, 5] * 20 == read[0][0].values
    thrown = tmp_path / "thrown.jsonl"
    thrown.write_bytes(msgspec.json.encode({"faces": ["R", "N"]}) * 1 + b"\n" + b'{"faces":["N","R"]}\n' * 60)
    (one,) = from_file(thrown, faces_of("R,N"), in_a_circle=False)
    assert ("thrown", [0, 1, 1, 0]) == (one.name, one.values[:4])


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "segment\n1\n", "one of them is `face`"),
        ("a.csv", "face\n1\n7\n", "line 3: '7' is no face"),
        ("a.csv", "face\n1\n2\n", "2 records are too few"),
        ("a.jsonl", '{"face":1}\n{"face":\n', "line 2"),
        ("a.jsonl", '{"face":true}\n', "line 1"),
        ("a.jsonl", "{}\n", "None is no face"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be read is named with its line, and nothing is written."""
    (tmp_path / name).write_text(content)
    out = tmp_path / "out"
    assert 2 == main(["--records", str(tmp_path / name), "--faces", "6", "--out", str(out)])
    assert says in capsys.readouterr().err
    assert not out.exists()


def test_a_device_that_showed_little_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are judged without it, and it is named: a wheel's inner ring turns in one launch of 26."""
    spins = tmp_path / "spins.csv"
    spins.write_text("device,face\n" + "".join(f"main,{face}\n" for face in "352641" * 20) + "inner,1\n" * 99)
    main(["--records", str(spins), "--faces", "6", "--out", str(tmp_path)])
    assert "inner: 99 records are too few, 100 are needed: left out" in capsys.readouterr().out
    report = msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=Report)
    assert (["main"], "main", [TooFew("inner", 99, 100)]) == (
        [section.name for section in report.sections],
        report.subject,
        report.left_out,
    )
    assert "<dt>inner, non jugé" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("faces", ["1", "R,R", "R"])
def test_faces_are_different(faces: str) -> None:
    """One face, or the same twice, is no device."""
    with pytest.raises(RecordError, match="two different faces"):
        faces_of(faces)


@pytest.mark.parametrize(("amplitude", "code"), [(0.0, 0), (0.2, 1)])
def test_the_command(tmp_path: Path, amplitude: float, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The report is written as JSON and HTML; the exit code says whether the wheel passed, and the page does."""
    chances = 1 + amplitude * np.cos(2 * np.pi * np.arange(52) / 52)
    values = np.random.default_rng(5).choice(52, SPINS, p=chances / chances.sum())
    spins = tmp_path / "spins.csv"
    spins.write_text("face\n" + "".join(f"{value + 1}\n" for value in values))
    out = tmp_path / "out"
    assert code == main(["--records", str(spins), "--faces", "52", "--circle", "--out", str(out)])
    report = msgspec.json.decode((out / "report.json").read_bytes(), type=Report)
    html = (out / "report.html").read_text(encoding="utf-8")
    assert (SPINS, code == 0) == (report.sections[0].samples, report.passed)
    assert page(report) == html
    assert ("✗\u00a0écart constaté" in html) == (code == 1)
    assert ("FAILED" in capsys.readouterr().out) == (code == 1)


# -- logs ---------------------------------------------------------------------------------------------------------
def standing(log: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the outcomes of a golden log, as the records see them."""
    decode = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events)).decode
    events: list[Event] = [decode(line) for line in (GOLDEN / log).read_bytes().splitlines()[:-1]]
    found: dict[tuple[int, str], tuple[tuple[int, ...], tuple[int, ...]]] = {}
    records._follow(events, found)
    return list(found.values())


def test_what_stands_at_the_console_counts() -> None:
    """Confirmed outcomes, as corrected, each once; what was reopened and never recorded again does not count."""
    assert [((52,), (2,)), ((52,), (1,))] == standing("0003-house-table-console.jsonl")


def test_what_a_sensor_reported_counts() -> None:
    """Every segment that the sensor detected without anomaly, on either ring."""
    found = standing("0002-letter-sensor-incidents.jsonl")
    assert {(52,), (6,)} == {bounds for bounds, _ in found}
    assert ((52,), (2,)) == found[0]


async def test_the_log_of_a_table() -> None:
    """Outcomes entered by the croupier are read from the table's log, session by session."""
    house = await MemoryHouse().open()
    await house.staff("technician", m.CheckEquipment())
    terms = {"game": "wheel", "paytable": "ROUE-MAISON-1", "minimum": 100, "float_amount": 1_000_000, "seats": 8}
    opening = {"type": "table.OpenSession", **terms, "source": "console", "options": {"bonus_stake": 1_000}}
    await house.staff("committee_member", msgspec.convert(opening | {"confirm_negative_edge": True}, m.OpenSession))
    for segment in ("3", "5", "7"):
        await house.staff("croupier", m.OpenBetting())
        await house.staff("croupier", m.CloseBetting())
        await house.staff("croupier", w.LaunchWheel())
        await house.staff("croupier", o.RecordOutcome(name="main", faces=(segment,)))
        await house.staff("croupier", o.ConfirmOutcome(name="main"))
    (found,) = await from_log(house.log, "T1")
    assert (52, True, [2, 4, 6]) == (found.bound, found.in_a_circle, found.values)
