"""A server that speaks Gemini's REST as far as we use it, for the real client over real HTTP.

    with GeminiServer([text_answer("안녕"), Answer(503, error_body(503, "UNAVAILABLE"))]) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)

Answers are given in the order of the script; a request beyond its end gets a 500. Delays end
when the server closes, so a test that gave up does not wait for them.
"""

import json
import re
import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

_PATH = re.compile(
    r"/v1(?:beta1?)?/(?:projects/[^/]+/locations/[^/]+/publishers/google/)?"
    r"models/([^/:]+):(?:generateContent|streamGenerateContent\?alt=sse|batchEmbedContents"
    r"|embedContent|predict)"
)

Json = Any


@dataclass(frozen=True)
class Answer:
    """One scripted answer. `body` is JSON, or sent as it is when it is text or bytes.

    `cut` = "before" resets the connection in place of an answer, "inside" after half the body.
    `drip_seconds` is waited before each byte of the body.
    """

    status: int = 200
    body: Json = ""
    delay_seconds: float = 0
    drip_seconds: float = 0
    cut: Literal["", "before", "inside"] = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return text.encode()


@dataclass(frozen=True)
class Recorded:
    """One request as it came in; header names in lower case."""

    path: str
    model: str
    headers: Mapping[str, str]
    body: Json


class GeminiServer:
    """The server as a context manager; `requests` is what it was asked."""

    def __init__(self, script: Sequence[Answer]) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self.requests: list[Recorded] = []
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def next_answer(self, request: Recorded) -> Answer:
        """Record the request and take the script's next answer."""
        with self._lock:
            self.requests.append(request)
            if not self._script:
                return Answer(500, error_body(500, "INTERNAL", "the script has ended"))
            return self._script.pop(0)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def text_answer(
    text: str, *, finish: str = "STOP", version: str = "", usage: Json = None
) -> Answer:
    """An answer of one candidate with one text."""
    return Answer(body=answer_body([{"text": text}], finish=finish, version=version, usage=usage))


def streamed_answer(*bodies: Json) -> Answer:
    """An answer in pieces, as `streamGenerateContent` gives it; see `answer_body`."""
    events = "".join(f"data: {json.dumps(body)}\r\n\r\n" for body in bodies)
    return Answer(body=events, headers={"Content-Type": "text/event-stream"})


def answer_body(
    parts: Sequence[Json], *, finish: str | None = "STOP", version: str = "", usage: Json = None
) -> Json:
    """The JSON of a GenerateContentResponse with one candidate; what is empty is left out."""
    candidate = {
        "content": {"role": "model", "parts": list(parts)},
        "index": 0,
    }
    if finish:
        candidate["finishReason"] = finish
    body = {"candidates": [candidate], "modelVersion": version, "usageMetadata": usage}
    return {name: value for name, value in body.items() if value}


def error_body(code: int, status: str, message: str = "no", details: Sequence[Json] = ()) -> Json:
    """The JSON of a Google API error."""
    error = {"code": code, "message": message, "status": status, "details": list(details)}
    return {"error": {name: value for name, value in error.items() if value}}


def _handler_of(server: GeminiServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"null")
            found = _PATH.fullmatch(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Recorded(self.path, found[1] if found else "", headers, body)
            answer = server.next_answer(request)
            if found is None:
                answer = Answer(404, "<html><title>Error 404 (Not Found)</title></html>")
            self._give(answer)

        def _give(self, answer: Answer) -> None:
            self.close_connection = bool(answer.cut)
            if server.closing.wait(answer.delay_seconds):
                return
            if answer.cut == "before":
                self._reset()
                return
            try:
                self._write(answer)
            except OSError:
                self.close_connection = True

        def _write(self, answer: Answer) -> None:
            body = answer.encoded()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if answer.cut == "inside":
                self.wfile.write(body[: len(body) // 2])
                return
            if not answer.drip_seconds:
                self.wfile.write(body)
                return
            for index in range(len(body)):
                if server.closing.wait(answer.drip_seconds):
                    return
                self.wfile.write(body[index : index + 1])

        def _reset(self) -> None:
            """Close with a reset in place of an orderly end."""
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

        def log_message(self, format: str, *args: object) -> None:
            """Tests read `requests`; nothing is printed."""

    return Handler
