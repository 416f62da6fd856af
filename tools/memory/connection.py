"""Which database the tool works on: the emulators', or a real project's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from google.api_core.exceptions import GoogleAPIError
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from pydantic import ValidationError

from functions.adapters.firestore.counters import FirestoreCounters
from functions.adapters.firestore.records import FirestoreRecords
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.services import services
from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    InvalidArgumentError,
    RecallIndexError,
    RetryLaterError,
    StaleClaimError,
)
from shared.model.thread import ThreadKey
from shared.summarizing.working import CyclePorts
from tools.emulators import PROJECT_ID
from tools.showing import in_words
from tools.thread_report import EMULATOR_VARIABLE

if TYPE_CHECKING:
    from google.cloud.firestore import Client

FAILED, USAGE, TRY_AGAIN = 1, 2, 3
_PROJECT_VARIABLES = ("GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT")


class NotDoneError(Exception):
    """The tool did not do what it was asked; its text says why, and what to do."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        super().__init__(text)
        self.code = code


class LeftToTheSweep:
    """Stands for the queue, which belongs to the functions: the sweep enqueues what is due."""

    def enqueue_cycle(
        self, key: ThreadKey, *, generation: int, request: int, delay_seconds: float
    ) -> None:
        """Do nothing: the cycle is on record."""


@dataclass(frozen=True)
class Connection:
    """The adapters of one project; `where` names it in words."""

    where: str
    cycles: CyclePorts
    records: FirestoreRecords
    rollbacks: FirestoreRollbacks
    counters: FirestoreCounters


def connect(project: str) -> Connection:
    """Open the database of `project`, on the emulator where FIRESTORE_EMULATOR_HOST names one.

    Settings are read from the environment, like the functions' own. Raises NotDoneError.
    """
    from google.cloud import firestore

    named = project_of(project, os.environ)
    os.environ.update(dict.fromkeys(_PROJECT_VARIABLES, named))
    services.cache_clear()
    try:
        of = services()
        client: Client = firestore.Client(project=named)
    except DefaultCredentialsError:
        login = "gcloud auth application-default login"
        raise NotDoneError(f"there are no credentials: run `{login}` first") from None
    except ValidationError as error:
        field = error.errors(include_input=False, include_url=False)[0]["loc"][0]
        raise NotDoneError(f"the setting {str(field).upper()} does not fit", USAGE) from None
    host = os.environ.get(EMULATOR_VARIABLE)
    return Connection(
        where=f"project {named}, emulator at {host}" if host else f"project {named}",
        cycles=replace(of.cycles, tasks=LeftToTheSweep()),
        records=FirestoreRecords(client),
        rollbacks=FirestoreRollbacks(client),
        counters=FirestoreCounters(client),
    )


def project_of(given: str, environment: Mapping[str, str]) -> str:
    """The project that is meant. Raises NotDoneError where nothing says which."""
    if given:
        return given
    if environment.get(EMULATOR_VARIABLE):
        return PROJECT_ID
    raise NotDoneError(
        f"no project: pass --project PROJECT, or set {EMULATOR_VARIABLE} for the emulators", USAGE
    )


def thread_key(uid: str, soul_id: str) -> ThreadKey:
    """The thread that is meant. Raises NotDoneError naming the argument that does not fit."""
    try:
        return ThreadKey(uid=uid, soul_id=soul_id)
    except ValidationError as error:
        field = error.errors(include_input=False, include_url=False)[0]["loc"][0]
        raise NotDoneError(f"{field} is no legal document id", USAGE) from None


@contextmanager
def failures_in_words() -> Iterator[None]:
    """Inside, an error of the core or of Google's clients leaves as a NotDoneError."""
    try:
        yield
    except InvalidArgumentError as error:
        raise NotDoneError(str(error), USAGE) from error
    except DocumentNotFoundError as error:
        raise NotDoneError(f"{error}: `show` says what is there") from error
    except DocumentMisshapenError as error:
        raise NotDoneError(f"{error}: mend the document") from error
    except RecallIndexError as error:
        raise NotDoneError(f"{error}: run rebuild-index") from error
    except RetryLaterError as error:
        raise NotDoneError(f"{error}; try again in a moment", TRY_AGAIN) from error
    except StaleClaimError as error:
        moved = f"memory was written to meanwhile ({error}); try again in a moment"
        raise NotDoneError(moved, TRY_AGAIN) from error
    except (GoogleAPIError, GoogleAuthError) as error:
        raise NotDoneError(_of_google(error)) from error


def _of_google(error: GoogleAPIError | GoogleAuthError) -> str:
    if isinstance(error, GoogleAuthError):
        return "the credentials were refused: log in again, or use another account"
    return in_words(error)
