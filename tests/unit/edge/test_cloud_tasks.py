"""The queue's client, against a server that answers as the Tasks emulator does."""

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from functions.adapters.cloud_tasks import CloudTasks, task_id
from shared.errors import RetryLaterError
from shared.model.thread import ThreadKey
from tests.factories import KEY


class Queue(ThreadingHTTPServer):
    """Takes a task once by its name, at the emulator's paths, which lack `/v2`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Enqueue)
        self.tasks: dict[str, dict[str, Any]] = {}
        self.paths: list[str] = []
        self.broken = False


class Enqueue(BaseHTTPRequestHandler):
    server: Queue

    def do_POST(self) -> None:
        self.server.paths.append(self.path.split("?")[0])
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = body["task"]["name"]
        status = 409 if name in self.server.tasks else 500 if self.server.broken else 200
        if status == 200:
            self.server.tasks[name] = body["task"]
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test looks at what was queued."""


@pytest.fixture
def queue() -> Iterator[Queue]:
    server = Queue()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def client(queue: Queue) -> CloudTasks:
    return CloudTasks(
        project="demo-soul-memory",
        region="asia-northeast3",
        emulator=f"127.0.0.1:{queue.server_address[1]}",
        functions_origin="127.0.0.1:5001",
    )


def enqueue(tasks: CloudTasks, request: int = 1) -> None:
    tasks.enqueue_cycle(KEY, generation=7, request=request, delay_seconds=5)


def test_a_task_carries_what_the_function_takes(queue: Queue) -> None:
    enqueue(client(queue))
    (task,) = queue.tasks.values()
    assert queue.paths == [
        "/projects/demo-soul-memory/locations/asia-northeast3/queues/summarizethread/tasks"
    ]
    assert task["httpRequest"]["url"] == (
        "http://127.0.0.1:5001/demo-soul-memory/asia-northeast3/summarizethread"
    )
    assert json.loads(base64.b64decode(task["httpRequest"]["body"])) == {
        "data": {"uid": "u1", "soul_id": "sohee", "generation": 7}
    }
    assert task["dispatchDeadline"] == "570s"


def test_the_same_request_twice_is_one_task(queue: Queue) -> None:
    tasks = client(queue)
    for request in (1, 1, 2, 2):
        enqueue(tasks, request)
    assert len(queue.tasks) == 2


def test_a_queue_that_fails_is_tried_again_later(queue: Queue) -> None:
    queue.broken = True
    with pytest.raises(RetryLaterError):
        enqueue(client(queue))


def test_names_are_legal_and_part_threads() -> None:
    others = [ThreadKey(uid="u1", soul_id="소희/".strip("/")), ThreadKey(uid="u", soul_id="1소희")]
    names = {task_id(key, 1, 1) for key in (KEY, *others)}
    assert len(names) == 3
    assert all(set(name) <= set("0123456789abcdef-") for name in names)
