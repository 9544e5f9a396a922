"""HMAC_DRBG against the published answers and the limits of the standard."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.draws import drbg
from tests.kit.cavp import Vector, vectors

ALL = list(vectors("HMAC_DRBG_SHA256.rsp"))
SEED, NONCE = bytes(range(32)), bytes(range(16))


def test_the_published_answers_are_all_there() -> None:
    """Three ways of use, four combinations of personalization and additional input, fifteen of each."""
    ways = [
        ("EntropyInputReseed" in vector.fields, "EntropyInputPR" in vector.fields, bool(vector.one("AdditionalInput")))
        for vector in ALL
    ]
    assert 180 == len(ALL)
    assert [30] * 6 == [ways.count(way) for way in sorted(set(ways))]
    assert 90 == sum(bool(vector.one("PersonalizationString")) for vector in ALL)


@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.section)
def test_published_answers(vector: Vector) -> None:
    """Each vector of the CAVP comes out: without a reseed, with one, and with prediction resistance."""
    state = drbg.instantiate(vector.one("EntropyInput"), vector.one("Nonce"), vector.one("PersonalizationString"))
    if "EntropyInputReseed" in vector.fields:
        state = drbg.reseed(state, vector.one("EntropyInputReseed"), vector.one("AdditionalInputReseed"))
    said, fresh = b"", vector.fields.get("EntropyInputPR", [None, None])
    for additional, entropy in zip(vector.fields["AdditionalInput"], fresh, strict=True):
        state, said = drbg.generate(state, 128, additional, entropy)
    assert vector.one("ReturnedBits") == said


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_the_keyed_hash_is_hmac(key: bytes, message: bytes) -> None:
    """Our own spelling of HMAC-SHA-256, for speed, is the one of Python's library."""
    assert hmac.digest(key, message, "sha256") == drbg._hmac(drbg._keyed(key), message)


@pytest.mark.parametrize(
    ("entropy", "nonce", "interval"),
    [(SEED[:31], NONCE, 1), (SEED, NONCE[:15], 1), (SEED, NONCE, 0), (SEED, NONCE, 2**48 + 1)],
)
def test_a_weak_beginning_is_refused(entropy: bytes, nonce: bytes, interval: int) -> None:
    """Too little entropy, too short a nonce, or an interval beyond the standard makes no generator."""
    with pytest.raises(drbg.DrbgError):
        drbg.instantiate(entropy, nonce, interval=interval)


@pytest.mark.parametrize("count", [-1, 0, 2**16 + 1])
def test_a_request_has_a_size(count: int) -> None:
    """Nothing, and more than 2^19 bits at once, is refused; exactly 2^19 bits are not."""
    state = drbg.instantiate(SEED, NONCE)
    with pytest.raises(drbg.DrbgError, match="one request"):
        drbg.generate(state, count)
    assert 2**16 == len(drbg.generate(state, 2**16)[1])


def test_a_reseed_needs_entropy() -> None:
    """31 bytes do not reseed, and do not give prediction resistance."""
    state = drbg.instantiate(SEED, NONCE)
    with pytest.raises(drbg.DrbgError, match="entropy"):
        drbg.reseed(state, SEED[:31])
    with pytest.raises(drbg.DrbgError, match="entropy"):
        drbg.generate(state, 32, fresh=SEED[:31])


def test_the_interval_ends_in_a_reseed() -> None:
    """After so many requests nothing is generated before there is fresh entropy; from then on the count begins anew."""
    state = drbg.instantiate(SEED, NONCE, interval=2)
    for _ in range(2):
        state, _ = drbg.generate(state, 32)
    with pytest.raises(drbg.ReseedRequired):
        drbg.generate(state, 32)
    assert 2 == state.requests
    state = drbg.reseed(state, SEED)
    assert 0 == state.requests
    assert 1 == drbg.generate(state, 32)[0].requests


def test_prediction_resistance_ends_no_interval() -> None:
    """A request that brings its own entropy is never too late."""
    state = drbg.instantiate(SEED, NONCE, interval=1)
    for _ in range(3):
        state, _ = drbg.generate(state, 32, fresh=SEED)
    assert 1 == state.requests


def test_everything_handed_in_counts() -> None:
    """Entropy, nonce, personalization, additional input and fresh entropy each change what is said."""
    state = drbg.instantiate(SEED, NONCE)
    said = {
        drbg.generate(state, 32)[1],
        drbg.generate(state, 32, b"x")[1],
        drbg.generate(state, 32, fresh=SEED)[1],
        drbg.generate(drbg.instantiate(SEED[::-1], NONCE), 32)[1],
        drbg.generate(drbg.instantiate(SEED, NONCE[::-1]), 32)[1],
        drbg.generate(drbg.instantiate(SEED, NONCE, b"x"), 32)[1],
    }
    assert 6 == len(said)


def test_a_generator_does_not_show_itself() -> None:
    """Neither key nor V is in any text of the state, so none gets into a log."""
    state = drbg.instantiate(SEED, NONCE)
    assert ("Drbg(requests=0)", "Drbg(requests=0)") == (str(state), repr(state))
