"""The address of a server, or of the sentinels that know where it is."""

import pytest

from libs.eventlog.primary import BadAddress, Primary, check_address, sentinels


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:6379/0",
        "rediss://wallet:secret@redis",
        "unix:///run/redis.sock",
        "redis+sentinel://a/tapis",
        "redis+sentinel://wallet:secret@a:26379,10.0.0.7,[::1]:7000/tapis/0",
        "rediss+sentinel://a,b,c/tapis?ssl_ca_certs=/etc/ca.pem",
    ],
)
def test_good_addresses(url: str) -> None:
    """One server, or sentinels with the name of the primary."""
    check_address(url)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "is missing or not a redis://"),
        ("http://a", "is missing or not a redis://"),
        ("redis://:6379", "names no host"),
        ("redis://a:0", "names no host, no path, or a port"),
        ("redis+sentinel://a:26379", "is not like redis.sentinel://HOST:PORT"),
        ("redis+sentinel:///tapis", "is not like redis.sentinel://HOST:PORT"),
        ("redis+sentinel://a,b/tapis/first", "is not like redis.sentinel://HOST:PORT"),
        ("redis+sentinel://a:70000/tapis", "names a sentinel without a host, or with a port"),
        ("redis+sentinel://a,,b/tapis", "names a sentinel without a host"),
        ("redis+sentinel://me:secret@a b/tapis", "names a sentinel without a host"),
        ("redis+sentinel://me:secret@a/tapis?sentinel_user=watch", "has an option"),
        ("redis+sentinel://me:secret@a/tapis?ssl_ca_certs=/etc/ca.pem", "has an option"),
        ("redis://me:secret@a/0?health_check_interval=often", "has an option"),
        ("rediss://me:secret@a/0?ssl_cert_reqs=secret", "has an option"),
    ],
)
def test_bad_addresses(url: str, sentence: str) -> None:
    """The sentence says what is wrong, and never repeats what may hold a password."""
    with pytest.raises(BadAddress, match=sentence) as caught:
        check_address(url)
    assert "secret" not in str(caught.value)


def test_who_gets_which_words() -> None:
    """The server gets its user and the options, the sentinels theirs; both get what TLS needs."""
    found = sentinels(
        "rediss+sentinel://wallet:p%40ss@a,b:7000/tapis/3"
        "?sentinel_username=watch&sentinel_password=o%3Ao&ssl_ca_certs=/etc/ca.pem&health_check_interval=5"
    )
    assert found is not None
    assert found.name == "tapis"
    assert found.members == (
        "rediss://watch:o%3Ao@a:26379?ssl_ca_certs=%2Fetc%2Fca.pem",
        "rediss://watch:o%3Ao@b:7000?ssl_ca_certs=%2Fetc%2Fca.pem",
    )
    options = "ssl_ca_certs=%2Fetc%2Fca.pem&health_check_interval=5"
    assert found.server("10.0.0.7", 6379) == f"rediss://wallet:p%40ss@10.0.0.7:6379/3?{options}"
    assert found.server("fd00::7", 6379) == f"rediss://wallet:p%40ss@[fd00::7]:6379/3?{options}"


async def test_a_plain_address_is_its_own_answer() -> None:
    """Nobody is asked where one server is named."""
    primary = Primary("unix:///nowhere/redis.sock")
    assert await primary.url() == "unix:///nowhere/redis.sock"
    await primary.close()
