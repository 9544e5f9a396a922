"""The battery of SP 800-22: right where NIST says what is right, and ours where the package gives only the smallest."""

from hashlib import sha256
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `evidence` is not installed")
pytest.importorskip("sp80022suite", reason="the extra `evidence` is not installed")

import sp80022suite  # noqa: E402 - only once it is known to be there

from tests.evidence import battery, excursions  # noqa: E402 - the same


def sequence(seed: str) -> bytes:
    """Return 125,000 bytes that nothing distinguishes from chance."""
    return b"".join(sha256(f"{seed} {block}".encode()).digest() for block in range(3907))[:125_000]


def test_the_number_e() -> None:
    """Seventeen p-values of the first million digits of e are those that NIST printed."""
    known = battery.known_answers()
    assert 17 == len(known)
    assert [] == [one for one in known if not one.agrees]


def test_a_wrong_p_value_would_be_seen() -> None:
    """A difference in the fifth decimal is no agreement."""
    assert not battery.Known("frequency", 0.953749, 0.953769).agrees


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_ours_agree_with_the_package(seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test gives several p-values, the smallest of ours is the package's."""
    raw = sequence(seed)
    bits = np.unpackbits(np.frombuffer(raw, np.uint8))
    shown = bytearray(bits.tobytes())
    (tmp_path / "templates").mkdir()
    lines = [" ".join(f"{pattern:09b}") for pattern in excursions.aperiodic_templates()]
    (tmp_path / "templates" / "template9").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    theirs = {
        "cumulative": sp80022suite.cumulative_sums(shown),
        "serial": sp80022suite.serial(16, shown),
        "template": sp80022suite.non_overlapping_template_matchings(9, shown),
    }
    ours = battery.p_values(raw)
    if any(name.startswith("random") for name in ours):
        theirs["random excursions,"] = sp80022suite.random_excursions(shown)
        theirs["random excursions variant"] = sp80022suite.random_excursions_variant(shown)
    for prefix, smallest in theirs.items():
        assert smallest == pytest.approx(min(p for name, p in ours.items() if name.startswith(prefix)), abs=1e-6)


def test_templates_cannot_overlap_themselves() -> None:
    """There are 148 of nine bits, as many as NIST lists, from 000000001 on."""
    templates = excursions.aperiodic_templates()
    assert (148, 1, 510) == (len(templates), templates[0], templates[-1])


def test_a_sequence_has_a_million_bits() -> None:
    """Parameters are those for a million bits: nothing else is taken."""
    with pytest.raises(ValueError, match="1000000 bits"):
        battery.p_values(bytes(1000))
