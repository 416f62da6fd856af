"""A line to a server that a test can cut and mend: what is lost is the server, not the network."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread

from tools.processes import HOST

_CHUNK = 65_536


class Line:
    """Hands every connection on to `port`; cut, it drops those there are and takes no more."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server = socket.create_server((HOST, 0))
        self._ends: list[socket.socket] = []
        self._is_cut = False
        Thread(target=self._serve, daemon=True).start()

    @property
    def address(self) -> str:
        """Where the server seems to be, as `host:port`."""
        return f"{HOST}:{self._server.getsockname()[1]}"

    def cut(self) -> None:
        self._is_cut = True
        with suppress(IndexError):  # until none is left
            while True:
                _hang_up(self._ends.pop())

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        _hang_up(self._server)
        self._server.close()

    def _serve(self) -> None:
        with suppress(OSError):  # until `close`
            while True:
                self._hand_on(self._server.accept()[0])

    def _hand_on(self, near: socket.socket) -> None:
        self._ends.append(near)
        with suppress(OSError):
            far = socket.create_connection((HOST, self._port))
            self._ends.append(far)
            for source, sink in ((near, far), (far, near)):
                Thread(target=_pump, args=(source, sink), daemon=True).start()
        if self._is_cut:
            self.cut()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            sink.sendall(data)
    _hang_up(sink)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
