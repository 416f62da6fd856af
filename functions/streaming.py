"""Callables that stream: what the SDK for Python does not do by itself.

The protocol is the one that the SDKs for apps speak: a client that accepts `text/event-stream`
gets `data: {"message": …}` for each chunk and then `data: {"result": …}` or `{"error": …}`.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar, copy_context
from functools import wraps
from queue import SimpleQueue
from typing import Any, TypeVar, cast

Handler = TypeVar("Handler", bound=Callable[..., Any])
Tell = Callable[[Any], None]

_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    # What the SDK for Python says of its own answers; without it a browser hears no stream.
    "Access-Control-Allow-Origin": "*",
}

_told: ContextVar[Tell | None] = ContextVar("_told", default=None)


def tell_client(chunk: Any) -> None:
    """Send a chunk to the caller of the callable that is running, if it listens to chunks."""
    tell = _told.get()
    if tell is not None:
        tell(chunk)


def streamed(function: Handler) -> Handler:
    """Let a callable stream to clients that ask for it; the others get the result alone."""

    @wraps(function)
    def answered(request: Any) -> Any:
        if "text/event-stream" not in request.headers.get("accept", ""):
            return function(request)
        from flask import Response, make_response, stream_with_context

        events = _events(lambda: make_response(function(request)))
        return Response(stream_with_context(events), mimetype="text/event-stream", headers=_HEADERS)

    return cast(Handler, answered)


def _events(call: Callable[[], Any]) -> Iterator[str]:
    """The call in a thread of its own, its chunks as they come, and then its answer."""
    chunks: SimpleQueue[str | None] = SimpleQueue()

    def run() -> None:
        def tell(chunk: Any) -> None:
            chunks.put(_event({"message": chunk}))
            time.sleep(0)  # it goes out before the call computes on

        _told.set(tell)
        try:
            chunks.put(_event(json.loads(call().get_data(as_text=True))))
        finally:
            chunks.put(None)

    threading.Thread(target=copy_context().run, args=(run,), name="stream", daemon=True).start()
    while (chunk := chunks.get()) is not None:
        yield chunk


def _event(body: Any) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
