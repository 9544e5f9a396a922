"""Two casinos that look for ports at the same place never get the same one."""

import socket

import pytest

from libs.runtime.local import sockets
from libs.runtime.local.sockets import HeldSockets, NoFreePort


def test_each_gets_a_port_of_its_own(unused_tcp_port: int) -> None:
    """Whoever comes second gets the next port, as long as the first holds it."""
    first, second = HeldSockets(), HeldSockets()
    first.hold("gateway", unused_tcp_port)
    second.hold("gateway", unused_tcp_port)
    assert f"http://127.0.0.1:{unused_tcp_port}" == first.url("gateway") != second.url("gateway")
    assert first.descriptors("gateway") != second.descriptors("gateway")
    assert () == first.descriptors("bots")
    first.close()
    third = HeldSockets()
    third.hold("gateway", unused_tcp_port)
    assert f"http://127.0.0.1:{unused_tcp_port}" == third.url("gateway")
    second.close()
    third.close()


def test_no_port_is_said(unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """When every port of the range is taken, the range is named."""
    monkeypatch.setattr(sockets, "PORTS_TRIED", 1)
    with (
        socket.create_server(("127.0.0.1", unused_tcp_port)),
        pytest.raises(NoFreePort, match=f"from {unused_tcp_port} to {unused_tcp_port}"),
    ):
        HeldSockets().hold("gateway", unused_tcp_port)
