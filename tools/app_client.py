"""The app's side of the product: the real Firebase JS SDK, driven from Python.

`with AppClient(suite) as app:` runs tools/app_client.mjs. Everything goes through the SDK and so
through the rules. Every method raises AppError where the SDK refuses (`.code` says why) and
AppClientError where the app does not answer in time: none of them hangs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from tools.app_process import CALL_SECONDS, AppClientError, AppError, AppProcess, OnProgress

__all__ = ["FINISHED", "SERVER_TIME", "AppClient", "AppClientError", "AppError"]

SCRIPT = Path(__file__).with_suffix(".mjs")
SERVER_TIME: Mapping[str, bool] = {"$server_time": True}
"""Stands in the data of `write` for what the SDK calls `serverTimestamp()`."""
FINISHED = ("ready", "empty", "failed")

Operation = Literal["set", "update", "delete", "add"]


class Emulators(Protocol):
    """What the app must know of a running suite; `tools.emulators.Suite` is one."""

    @property
    def project_id(self) -> str: ...
    @property
    def region(self) -> str: ...
    @property
    def hosts(self) -> Mapping[str, str]: ...


class AppClient:
    """One installation of the app, with at most one user signed in."""

    def __init__(self, suite: Emulators) -> None:
        settings = {
            "project_id": suite.project_id,
            "region": suite.region,
            "hosts": dict(suite.hosts),
        }
        self._process = AppProcess(["node", str(SCRIPT), json.dumps(settings)])

    def __enter__(self) -> AppClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the app."""
        self._process.close()

    def sign_in(
        self, uid: str = "", *, email: str = "", claims: Mapping[str, object] | None = None
    ) -> str:
        """Sign a user in, by uid (with custom claims) or by e-mail address; gives the uid.

        Whoever is not known yet is made.
        """
        return str(self._ask("signIn", uid=uid, email=email, claims=claims or {}))

    def sign_out(self) -> None:
        """Sign the user out; the app goes on as nobody."""
        self._ask("signOut")

    def create_thread(self, soul_id: str) -> None:
        """Open the chat with a Soul."""
        self._ask("createThread", soulId=soul_id)

    def send_message(
        self, soul_id: str, role: str, text: str, *, image: Mapping[str, str] | None = None
    ) -> str:
        """Write one message, stamped by the server; `image` is `{path, content_type}`.

        Gives its id.
        """
        given = dict(image) if image else None
        return str(self._ask("sendMessage", soulId=soul_id, role=role, text=text, image=given))

    def send_messages(
        self,
        soul_id: str,
        messages: Sequence[Mapping[str, str]],
        *,
        on_sent: Callable[[int], object] | None = None,
    ) -> list[str]:
        """Write `{role, text}` messages one after another; `on_sent` hears how many are stored.

        The deadline is that of one message, not of all. Gives their ids.
        """
        ids = self._ask("sendMessages", on_sent, soulId=soul_id, messages=list(messages))
        return [str(one) for one in ids]

    def get_thread(self, soul_id: str) -> dict[str, Any] | None:
        """Read the thread's own document; None where there is none."""
        thread: dict[str, Any] | None = self._ask("getThread", soulId=soul_id)
        return thread

    def list_messages(self, soul_id: str, *, limit: int = 50) -> list[dict[str, Any]]:
        """Read the newest messages, oldest first, each with its `id`; times are ISO text."""
        messages: list[dict[str, Any]] = self._ask("listMessages", soulId=soul_id, limit=limit)
        return messages

    def watch_thread(
        self,
        soul_id: str,
        *,
        until: Sequence[str] = FINISHED,
        seconds: float = 60.0,
        on_status: Callable[[str], object] | None = None,
    ) -> str:
        """Listen to the thread until its `memory_status` is one of `until`; gives it.

        Gives up (AppClientError) when nothing new is heard for `seconds`.
        """
        return str(
            self._ask("watchThread", on_status, seconds=seconds, soulId=soul_id, until=list(until))
        )

    def call(self, name: str, data: object, *, seconds: float = CALL_SECONDS) -> Any:
        """Call a callable function as whoever is signed in."""
        return self._ask("call", seconds=seconds, name=name, data=data)

    def stream(
        self, name: str, data: object, on_chunk: OnProgress, *, seconds: float = CALL_SECONDS
    ) -> Any:
        """Call a callable that streams; `on_chunk` hears each chunk, the result comes back."""
        return self._ask("stream", on_chunk, seconds=seconds, name=name, data=data)

    def read(self, path: str) -> Any:
        """Read any document (None: absent) or collection (a list), as far as the rules allow."""
        return self._ask("readAny", path=path)

    def write(self, path: str, data: Mapping[str, object], operation: Operation = "set") -> Any:
        """Write anywhere, as far as the rules allow; `add` gives the new document's id."""
        return self._ask("writeAny", path=path, data=dict(data), operation=operation)

    def _ask(
        self,
        command: str,
        on_progress: OnProgress | None = None,
        *,
        seconds: float = CALL_SECONDS,
        **given: object,
    ) -> Any:
        return self._process.ask(command, given, seconds=seconds, on_progress=on_progress)
