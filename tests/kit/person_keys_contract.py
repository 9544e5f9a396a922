"""What every store of the keys of persons does. Subclasses give a `store`."""

import pytest

from libs.eventlog.person_keys import Claim, PersonKeyStore

ANNA, BRUNO = "p-aaaaaaaaaaaaaaaa", "p-bbbbbbbbbbbbbbbb"


async def everything(store: PersonKeyStore) -> dict[str, str]:
    """Return all keys."""
    return {player: locked async for player, locked in store.every()}


class PersonKeysContract:
    """The contract."""

    async def test_the_first_claim_stands(self, store: PersonKeyStore) -> None:
        """An identity keeps its first pseudonym and key, whoever claims it again, and with whatever."""
        assert Claim(ANNA, "k.1") == await store.claim("imprint-a", ANNA, "k.1")
        assert Claim(ANNA, "k.1") == await store.claim("imprint-a", BRUNO, "k.2")
        assert Claim(ANNA, "k.1") == await store.claim("imprint-a", ANNA, "k.3")
        assert (ANNA, "k.1") == (await store.find("imprint-a"), await store.fetch(ANNA))
        assert {ANNA: "k.1"} == await everything(store)

    async def test_a_pseudonym_is_one_persons(self, store: PersonKeyStore) -> None:
        """Another identity cannot have it."""
        await store.claim("imprint-a", ANNA, "k.1")
        assert await store.claim("imprint-b", ANNA, "k.2") is None
        assert (None, "k.1") == (await store.find("imprint-b"), await store.fetch(ANNA))

    async def test_what_is_destroyed_is_gone(self, store: PersonKeyStore) -> None:
        """Key and index entry go together, once; others stay; the identity may be claimed anew by a new pseudonym."""
        await store.claim("imprint-a", ANNA, "k.1")
        await store.claim("imprint-b", BRUNO, "k.2")
        assert [True, False] == [await store.destroy(ANNA), await store.destroy(ANNA)]
        assert (None, None, BRUNO) == (
            await store.find("imprint-a"),
            await store.fetch(ANNA),
            await store.find("imprint-b"),
        )
        assert {BRUNO: "k.2"} == await everything(store)
        again = "p-cccccccccccccccc"
        assert Claim(again, "k.3") == await store.claim("imprint-a", again, "k.3")
        assert not await store.destroy(ANNA)
        assert again == await store.find("imprint-a")

    async def test_a_key_is_replaced_only_where_it_still_is(self, store: PersonKeyStore) -> None:
        """Locked anew when it is the one that was read; neither changed nor brought back otherwise."""
        await store.claim("imprint-a", ANNA, "k.1")
        assert [True, False] == [await store.replace(ANNA, "k.1", "n.1"), await store.replace(ANNA, "k.1", "x.1")]
        assert "n.1" == await store.fetch(ANNA)
        await store.destroy(ANNA)
        assert not await store.replace(ANNA, "n.1", "n.2")
        assert {} == await everything(store)

    async def test_an_identity_may_change(self, store: PersonKeyStore) -> None:
        """Found by both while it is unsettled, then by the new one alone; or, called off, by the old one alone."""
        await store.claim("imprint-a", ANNA, "k.1")
        assert [ANNA, ANNA] == [await store.join(ANNA, "imprint-a"), await store.join(ANNA, "imprint-b")]
        assert [ANNA, ANNA] == [await store.find("imprint-a"), await store.find("imprint-b")]
        await store.settle(ANNA, "")
        assert [ANNA, None] == [await store.find("imprint-a"), await store.find("imprint-b")]
        await store.join(ANNA, "imprint-b")
        await store.settle(ANNA, "imprint-b")
        await store.settle(ANNA, "imprint-a")
        assert [None, ANNA, "k.1"] == [
            await store.find("imprint-a"), await store.find("imprint-b"), await store.fetch(ANNA)
        ]  # fmt: skip

    async def test_nobody_takes_anothers_identity(self, store: PersonKeyStore) -> None:
        """Joined, it stays whose it was; what was joined and never settled makes room, and goes with the key."""
        await store.claim("imprint-a", ANNA, "k.1")
        await store.claim("imprint-b", BRUNO, "k.2")
        assert [BRUNO, None] == [await store.join(ANNA, "imprint-b"), await store.join("p-nobody", "imprint-x")]
        await store.settle(ANNA, "imprint-b")
        await store.settle("p-nobody", "imprint-x")
        assert [ANNA, BRUNO] == [await store.find("imprint-a"), await store.find("imprint-b")]
        await store.join(ANNA, "imprint-c")
        await store.join(ANNA, "imprint-d")
        assert [ANNA, None, ANNA] == [await store.find(f"imprint-{letter}") for letter in "acd"]
        await store.destroy(ANNA)
        assert [None, BRUNO, None, None] == [await store.find(f"imprint-{letter}") for letter in "abcd"]

    async def test_the_first_fingerprint_stands(self, store: PersonKeyStore) -> None:
        """The index remembers the key that it was made with; it is no person."""
        assert ["one", "one"] == [await store.fingerprint("one"), await store.fingerprint("two")]
        assert (None, {}) == (await store.find("nobody"), await everything(store))

    @pytest.mark.parametrize("count", [1_200])
    async def test_every_key_is_found(self, store: PersonKeyStore, count: int) -> None:
        """Many keys are all gone through."""
        for number in range(count):
            await store.claim(f"imprint-{number}", f"p-{number}", f"k.{number}")
        assert {f"p-{number}": f"k.{number}" for number in range(count)} == await everything(store)
