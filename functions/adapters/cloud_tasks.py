"""The `Tasks` port: google-cloud-tasks, one client for production and for the emulator."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from shared.errors import RetryLaterError
from shared.model.cycle import cycle_id_of
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.tasks_v2 import CloudTasksClient

QUEUE = "summarizethread"
DISPATCH_DEADLINE = timedelta(seconds=570)
ENQUEUE_SECONDS = 10.0


class CloudTasks:
    """Puts cycles on the queue. A task's name is made of what it asks for, so it is put once."""

    def __init__(self, *, project: str, region: str, emulator: str, functions_origin: str) -> None:
        self._project = project
        self._region = region
        self._emulator = emulator
        self._origin = functions_origin
        self._client: CloudTasksClient | None = None

    def enqueue_cycle(
        self, key: ThreadKey, *, generation: int, request: int, delay_seconds: float
    ) -> None:
        """Raises RetryLaterError when the queue cannot be reached."""
        from google.api_core.exceptions import AlreadyExists, Conflict, GoogleAPICallError
        from google.cloud import tasks_v2

        payload = {"uid": key.uid, "soul_id": key.soul_id, "generation": generation}
        parent = f"projects/{self._project}/locations/{self._region}/queues/{QUEUE}"
        target: dict[str, Any] = {
            "http_method": tasks_v2.HttpMethod.POST,
            "url": self._url(),
            "headers": {"Content-Type": "application/json"},
            "body": json.dumps({"data": payload}).encode(),
        }
        if not self._emulator:
            target["oidc_token"] = {"service_account_email": _service_account()}
        task = tasks_v2.Task(
            name=f"{parent}/tasks/{task_id(key, generation, request)}",
            http_request=tasks_v2.HttpRequest(**target),
            schedule_time=datetime.now(UTC) + timedelta(seconds=delay_seconds),
            dispatch_deadline=DISPATCH_DEADLINE,
        )
        try:
            self._connect().create_task(parent=parent, task=task, timeout=ENQUEUE_SECONDS)
        except (AlreadyExists, Conflict):
            return
        except GoogleAPICallError as error:
            raise RetryLaterError("the task queue did not take the cycle") from error

    def _url(self) -> str:
        """Where the queue delivers: the function's own address."""
        if self._emulator:
            return f"http://{self._origin}/{self._project}/{self._region}/{QUEUE}"
        return f"https://{self._region}-{self._project}.cloudfunctions.net/{QUEUE}"

    def _connect(self) -> "CloudTasksClient":
        if self._client is None:
            from google.cloud import tasks_v2

            self._client = (
                tasks_v2.CloudTasksClient(transport=_emulator_transport(self._emulator))
                if self._emulator
                else tasks_v2.CloudTasksClient()
            )
        return self._client


def task_id(key: ThreadKey, generation: int, request: int) -> str:
    """The task's name: a digest of the thread first, since sequential names slow a queue down."""
    digest = hashlib.sha256(f"{key.uid}/{key.soul_id}".encode()).hexdigest()[:32]
    return f"{digest}-{cycle_id_of(generation)}-{request}"


def _service_account() -> str:
    """The account the function runs as, which the queue shows to the function it calls."""
    import google.auth
    from google.auth.transport.requests import Request

    credentials: Any = google.auth.default()[0]
    if getattr(credentials, "service_account_email", "default") == "default":
        credentials.refresh(Request())
    return str(credentials.service_account_email)


def _emulator_transport(host: str) -> Any:
    """REST to the emulator, whose paths lack the `/v2` of the real service."""
    from google.auth import credentials
    from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksRestTransport
    from requests.adapters import HTTPAdapter

    class WithoutVersion(HTTPAdapter):
        def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            parts = urlsplit(request.url)
            request.url = urlunsplit(parts._replace(path=parts.path.removeprefix("/v2")))
            return super().send(request, *args, **kwargs)

    anonymous: Any = credentials.AnonymousCredentials
    transport = CloudTasksRestTransport(host=host, url_scheme="http", credentials=anonymous())
    transport._session.mount("http://", WithoutVersion())
    return transport
