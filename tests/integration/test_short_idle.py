"""What is preloaded into firebase-tools, so that no event goes to a connection being closed."""

import socket
import subprocess
import time

from tools.emulators import SHORT_IDLE
from tools.processes import HOST

GUNICORN_KEEPS_SECONDS = 2.0
REQUEST = """
const http = require("http");
http.get({ host: "%s", port: %d }, (answer) => answer.resume());
"""
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"


def test_an_idle_connection_is_let_go_before_the_server_closes_it() -> None:
    with socket.create_server((HOST, 0)) as server:
        server.settimeout(10)
        script = REQUEST % (HOST, server.getsockname()[1])
        # The timer keeps Node alive: a connection that is idle alone would not.
        script += "setTimeout(() => {}, 4_000);"
        with subprocess.Popen(["node", "--require", str(SHORT_IDLE), "-e", script]) as node:
            try:
                connection, _ = server.accept()
                with connection:
                    connection.settimeout(10)
                    assert b"keep-alive" in connection.recv(65_536)
                    connection.sendall(ANSWER)
                    answered = time.monotonic()
                    assert connection.recv(1) == b""
                    assert time.monotonic() - answered < GUNICORN_KEEPS_SECONDS - 0.5
            finally:
                node.kill()
