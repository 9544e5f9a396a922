import base64
import inspect
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jws
from joserfc.jwk import OctKey, OKPKey

from libs.kernel import ids
from libs.kernel.actors import RESERVED_NAMES, Actor
from libs.kernel.limits import MAX_TOKEN_CHARS
from libs.runtime.tokens import (
    LEEWAY_S,
    PRIVATE_KEY_FILE,
    PUBLIC_KEY_FILE,
    KeyUnusable,
    TokenRefused,
    Verifier,
    generate_keys,
    load_private_key,
    load_public_keys,
    mint,
)
from tests.kit.book import NO_PLAYERS

NOW_S = 1_795_000_000
KEY = Ed25519PrivateKey.generate()
VERIFIER = Verifier([KEY.public_key()], "site-a", now_s=lambda: NOW_S)
GOOD: dict[str, Any] = {"sub": "player-1", "role": "player", "site": "site-a", "iat": NOW_S, "exp": NOW_S + 60}


def minted(**changes: Any) -> str:
    said: dict[str, Any] = {
        "sub": "player-1",
        "role": "player",
        "site": "site-a",
        "ttl_s": 60,
        "now_s": NOW_S,
    } | changes
    return mint(KEY, **said)


def signed(claims: object) -> str:
    return jws.serialize_compact({"alg": "Ed25519"}, json.dumps(claims), _jose(KEY), algorithms=["Ed25519"])


def _jose(key: Ed25519PrivateKey) -> OKPKey:
    def text(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    public = key.public_key().public_bytes_raw()
    return OKPKey.import_key({"kty": "OKP", "crv": "Ed25519", "x": text(public), "d": text(key.private_bytes_raw())})


def refusal_of(token: str, verifier: Verifier = VERIFIER) -> str:
    with pytest.raises(TokenRefused) as caught:
        verifier.verify(token)
    assert caught.value.fr
    assert caught.value.en
    return caught.value.code


def test_minted_token_is_verified() -> None:
    """A minted token names its speaker to a verifier that holds the public key."""
    assert Actor(id="player-1", role="player") == VERIFIER.verify(minted())


def test_no_token_for_an_unknown_role() -> None:
    """A slip in a role is told with the roles that there are; that of our own processes is not among them."""
    for role in ("king", "service"):
        with pytest.raises(ValueError, match=f"no role '{role}' for a token; there are: player, croupier, pit_boss, "):
            mint(KEY, "player-1", role, "site-a", 60, now_s=NOW_S)


def test_expired_token() -> None:
    """A token is refused once its time and the leeway are over, and not a second before."""
    token = minted(ttl_s=10)
    late = Verifier([KEY.public_key()], "site-a", now_s=lambda: NOW_S + 10 + LEEWAY_S)
    just_in_time = Verifier([KEY.public_key()], "site-a", now_s=lambda: NOW_S + 9 + LEEWAY_S)
    assert "token.expired" == refusal_of(token, late)
    assert "player-1" == just_in_time.verify(token).id


def test_token_from_the_future() -> None:
    """A token that was minted later than now, beyond the leeway, is not valid yet."""
    assert "token.early" == refusal_of(minted(now_s=NOW_S + LEEWAY_S + 1))


def test_other_key() -> None:
    """A token signed with a key that the verifier does not hold is refused, with and without a key id."""
    other = Ed25519PrivateKey.generate()
    assert "token.key" == refusal_of(mint(other, "player-1", "player", "site-a", 60, now_s=NOW_S))
    unnamed = jws.serialize_compact({"alg": "Ed25519"}, json.dumps(GOOD), _jose(other), algorithms=["Ed25519"])
    assert "token.signature" == refusal_of(unnamed)


def test_changed_token() -> None:
    """A token whose claims were changed after signing is refused."""
    header, _, signature = minted().split(".")
    claims = base64.urlsafe_b64encode(json.dumps(GOOD | {"role": "cashier"}).encode()).rstrip(b"=").decode()
    assert "token.signature" == refusal_of(f"{header}.{claims}.{signature}")


def test_none_algorithm() -> None:
    """A token that claims to need no signature is refused."""
    header = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    claims = base64.urlsafe_b64encode(json.dumps(GOOD).encode()).rstrip(b"=").decode()
    assert "token.algorithm" == refusal_of(f"{header}.{claims}.")


def test_symmetric_algorithm() -> None:
    """A token signed with the public key as a shared secret is refused."""
    public = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    secret = OctKey.import_key(base64.b64encode(public))
    forged = jws.serialize_compact({"alg": "HS256"}, json.dumps(GOOD), secret, algorithms=["HS256"])
    assert "token.algorithm" == refusal_of(forged)


def test_unknown_extensions() -> None:
    """A token that demands an extension we do not know is refused."""
    header = base64.urlsafe_b64encode(b'{"alg":"Ed25519","crit":["exp"]}').rstrip(b"=").decode()
    _, claims, signature = minted().split(".")
    assert refusal_of(f"{header}.{claims}.{signature}") in {"token.algorithm", "token.malformed"}


def test_service_role_is_never_given() -> None:
    """Nobody outside can be a service, even with a rightly signed token."""
    assert "token.claims" == refusal_of(signed(GOOD | {"role": "service"}))
    with pytest.raises(ValueError, match="service"):
        minted(role="service")


@pytest.mark.parametrize(
    "role", ["croupier", "pit_boss", "committee_member", "technician", "cashier", "device", "auditor"]
)
def test_every_other_role(role: str) -> None:
    """Every role of the house but `service` can be given."""
    assert role == VERIFIER.verify(minted(role=role)).role


def test_other_site() -> None:
    """A token for another site of the group is refused."""
    assert "token.site" == refusal_of(minted(site="site-b"))


@pytest.mark.parametrize("sub", ["post", "draw", "post:T1/4", *NO_PLAYERS])
def test_reserved_subjects(sub: str) -> None:
    """A subject whose command ids could pass for those of our services, or of another subject, is refused."""
    assert "token.subject" == refusal_of(signed(GOOD | {"sub": sub}))
    with pytest.raises(ValueError, match="reserved"):
        minted(sub=sub)


def test_no_person_has_the_name_of_a_debt() -> None:
    """The first word of every id that our services make is reserved: no person can take such an id before they do."""
    spelt = {name: make for name, make in vars(ids).items() if name.endswith("_id") and inspect.isfunction(make)}
    spelt = {name: make for name, make in spelt.items() if not name.startswith("split_")}
    words = {make(*("7" for _ in inspect.signature(make).parameters)).partition(":")[0] for make in spelt.values()}
    assert {"post", "credit"} <= words
    assert not words - RESERVED_NAMES


@pytest.mark.parametrize(
    "claims",
    [
        [],
        {},
        GOOD | {"sub": ""},
        GOOD | {"sub": "é"},
        GOOD | {"sub": 7},
        GOOD | {"role": "king"},
        GOOD | {"exp": "tomorrow"},
        GOOD | {"exp": 1.5},
        {key: value for key, value in GOOD.items() if key != "exp"},
        {key: value for key, value in GOOD.items() if key != "site"},
    ],
)
def test_wrong_claims(claims: object) -> None:
    """A signed token with missing or malformed claims is refused; there is no token without an end."""
    assert "token.claims" == refusal_of(signed(claims))


@pytest.mark.parametrize("token", ["", "a", "a.b", "a.b.c", "...", "W10.e30.aa", "é.é.é", "x" * (MAX_TOKEN_CHARS + 1)])
def test_garbage(token: str) -> None:
    """What is not a token at all is refused, never a crash."""
    assert "token.malformed" == refusal_of(token)


def test_key_change() -> None:
    """While keys are being changed, tokens of the old and the new key are both good."""
    new = Ed25519PrivateKey.generate()
    both = Verifier([KEY.public_key(), new.public_key()], "site-a", now_s=lambda: NOW_S)
    assert "player-1" == both.verify(minted()).id
    assert "player-2" == both.verify(mint(new, "player-2", "player", "site-a", 60, now_s=NOW_S)).id


def test_generated_keys_work(tmp_path: Path) -> None:
    """A generated pair mints and verifies; the private file is for its owner only; nothing is ever replaced."""
    private, public = generate_keys(tmp_path / "keys")
    token = mint(load_private_key(private), "croupier-1", "croupier", "site-a", 60)
    assert "croupier-1" == Verifier(load_public_keys(public), "site-a").verify(token).id
    assert (PRIVATE_KEY_FILE, PUBLIC_KEY_FILE) == (private.name, public.name)
    assert 0o600 == stat.S_IMODE(private.stat().st_mode)
    with pytest.raises(FileExistsError):
        generate_keys(tmp_path / "keys")


def test_several_public_keys_in_one_file(tmp_path: Path) -> None:
    """A public key file may hold several keys, one after the other."""
    first, second = generate_keys(tmp_path / "1")[1], generate_keys(tmp_path / "2")[1]
    both = tmp_path / "both.pem"
    both.write_bytes(first.read_bytes() + b"\n" + second.read_bytes())
    assert 2 == len(load_public_keys(both))


def test_unusable_key_files(tmp_path: Path) -> None:
    """A missing, empty, garbled or foreign key file is refused with its name."""
    foreign = generate_private_key(SECP256R1()).public_key()
    contents = {
        "empty.pem": b"",
        "garbage.pem": b"\xff\x00 nothing",
        "foreign.pem": foreign.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    for name in [*contents, "missing.pem"]:
        with pytest.raises(KeyUnusable, match=name):
            load_public_keys(tmp_path / name)
        with pytest.raises(KeyUnusable, match=name):
            load_private_key(tmp_path / name)
    with pytest.raises(KeyUnusable):
        Verifier([], "site-a")
