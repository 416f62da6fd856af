"""The callables as the SDK runs them, with whatever may go wrong behind them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType, SimpleNamespace
from typing import Any, NoReturn
from unittest.mock import patch

from flask import Flask, request

from functions.adapters.rate_limiter import RateLimiter
from functions.compose_prompt import compose_prompt
from functions.delete_my_data import delete_my_data
from functions.export_my_data import export_my_data
from functions.generate_reply import generate_reply
from functions.inspect_thread import inspect_thread
from functions.load_recent_memories import load_recent_memories
from functions.rollback_memory import rollback_memory
from functions.run_nightly_sweep import run_nightly_sweep
from functions.run_sweep import run_sweep
from shared.composing.compose_prompt import ComposePorts
from shared.exporting.export_ports import ExportPorts
from shared.leaving.leaving_ports import LeavingPorts
from shared.replying.generate_reply import ReplyPorts
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from tests.integration.test_functions_framework import id_token

INPUTS: dict[str, dict[str, object]] = {
    "compose_prompt": {"soul_id": "sohee"},
    "delete_my_data": {},
    "export_my_data": {},
    "generate_reply": {"soul_id": "sohee", "request_id": "r1"},
    "inspect_thread": {"uid": "u1", "soul_id": "sohee"},
    "rollback_memory": {"uid": "u1", "soul_id": "sohee", "generation": 1, "request_id": "r1"},
    "load_recent_memories": {"soul_id": "sohee", "request_id": "r1"},
    "run_nightly_sweep": {},
    "run_sweep": {},
}
CALLABLES: dict[str, Callable[[Any], Any]] = {
    "compose_prompt": compose_prompt,
    "delete_my_data": delete_my_data,
    "export_my_data": export_my_data,
    "generate_reply": generate_reply,
    "inspect_thread": inspect_thread,
    "rollback_memory": rollback_memory,
    "load_recent_memories": load_recent_memories,
    "run_nightly_sweep": run_nightly_sweep,
    "run_sweep": run_sweep,
}


class Broken:
    """Stands for every port: whatever is asked of it fails, and says what it should not."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        def fail(*args: object, **kwargs: object) -> NoReturn:
            raise self._error

        return fail


def call(
    name: str,
    data: object,
    *,
    behind: Exception,
    settings: Settings | None = None,
    claims: Mapping[str, object] = MappingProxyType({"operator": True}),
) -> str:
    """What a signed-in operator gets back, as text, while every port raises `behind`."""
    broken = Broken(behind)
    anything: Any = broken
    names = "sources threads indexes semantics prompts tokens clock".split()
    composing = ComposePorts(**dict.fromkeys(names, anything), settings=settings or Settings())
    cycles = {one.name: anything for one in fields(CyclePorts) if one.name != "settings"}
    services = SimpleNamespace(
        settings=settings or Settings(),
        limiter=RateLimiter(0, lambda: 0.0),
        sweeping=broken,
        records=broken,
        leaving=LeavingPorts(
            **dict.fromkeys("deletions belongings files accounts users clock".split(), anything),
            settings=Settings(),
        ),
        exporting=ExportPorts(
            **dict.fromkeys("records files allowance deletions clock chance".split(), anything),
            settings=Settings(),
        ),
        composing=composing,
        cycles=CyclePorts(**cycles, settings=settings or Settings()),
        replying=ReplyPorts(
            composing=composing,
            replies=anything,
            model=anything,
            chance=anything,
            aside=lambda call: call,
        ),
    )
    headers = {"Authorization": f"Bearer {id_token('u1', **claims)}"}
    context = Flask("callables").test_request_context(
        "/", method="POST", json={"data": data}, headers=headers
    )
    with patch("functions.services.services", lambda: services), context:
        answer = CALLABLES[name](request)
    body = answer.get_data(as_text=True)
    # Hangul comes escaped: a secret is looked for as it reads.
    return json.dumps(json.loads(body), ensure_ascii=False)
