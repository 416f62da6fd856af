"""The composition root: builds the adapters once, on the first call, from the environment."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from functions.adapters.accounts import FirebaseAccounts
from functions.adapters.aside import aside
from functions.adapters.clock import SystemChance, SystemClock
from functions.adapters.cloud_storage import CloudStorage
from functions.adapters.cloud_tasks import CloudTasks
from functions.adapters.event_log import JsonEventLog
from functions.adapters.firestore.belongings import FirestoreBelongings
from functions.adapters.firestore.breaker import FirestoreBreaker
from functions.adapters.firestore.budget import FirestoreBudget
from functions.adapters.firestore.changes import FirestoreChanges
from functions.adapters.firestore.deletions import FirestoreDeletions
from functions.adapters.firestore.export_allowance import FirestoreExportAllowance
from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.play_parts import FirestorePlayParts
from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from functions.adapters.firestore.records import FirestoreRecords
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import FirestoreSouls
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.firestore.user_records import FirestoreUserRecords
from functions.adapters.firestore.users import FirestoreUsers
from functions.adapters.no_storage import NoStorage
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.rate_limiter import RateLimiter
from functions.adapters.tiktoken_counter import TiktokenCounter
from functions.deployment import REGION
from functions.models import choose_chat_model, choose_embedder, choose_model, project_of
from functions.providers import storage_bucket, with_image_bucket
from shared.composing.compose_prompt import ComposePorts
from shared.exporting.export_ports import ExportPorts
from shared.forgetting.change_ports import ChangePorts
from shared.leaving.leaving_ports import LeavingPorts
from shared.recall.embedding import SemanticLane
from shared.recall.loading import RecallIndexes
from shared.replying.generate_reply import ReplyPorts
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from shared.sweeping.sweep import SweepPorts


@dataclass(frozen=True, slots=True)
class Services:
    """Every port of the core, filled."""

    settings: Settings
    clock: SystemClock
    events: JsonEventLog
    memory: FirestoreMemory
    threads: FirestoreThreads
    composing: ComposePorts
    tasks: CloudTasks
    tokens: TiktokenCounter
    limiter: RateLimiter
    records: FirestoreRecords
    cycles: CyclePorts
    play_parts: FirestorePlayParts
    replying: ReplyPorts
    changing: ChangePorts
    sweeping: SweepPorts
    leaving: LeavingPorts
    exporting: ExportPorts


@lru_cache(maxsize=1)
def services() -> Services:
    """The adapters of this process. Clients are opened on first use, and shared by requests."""
    from google.cloud import firestore

    project = project_of(os.environ)
    settings = with_image_bucket(read_settings(os.environ), os.environ, project)
    client = firestore.Client(project=project or None)
    clock, events, tokens = SystemClock(), JsonEventLog(), TiktokenCounter()
    memory, threads = FirestoreMemory(client), FirestoreThreads(client)
    lorebook, embedder = FirestoreLorebook(client), choose_embedder(settings)
    prompts, breaker = prompt_files(settings), FirestoreBreaker(client)
    tasks = CloudTasks(
        project=project,
        region=REGION.value,
        emulator=os.environ.get("CLOUD_TASKS_EMULATOR_HOST", ""),
        functions_origin=os.environ.get("FUNCTIONS_EMULATOR_ORIGIN", "127.0.0.1:5001"),
    )
    files, deletions = choose_storage(settings, project, events), FirestoreDeletions(client)
    composing = ComposePorts(
        sources=FirestorePromptSources(client, window_messages=settings.window_max_messages),
        threads=threads,
        indexes=RecallIndexes(lorebook),
        semantics=SemanticLane(lorebook, embedder),
        prompts=prompts,
        tokens=tokens,
        clock=clock,
        settings=settings,
    )
    return Services(
        settings=settings,
        clock=clock,
        events=events,
        memory=memory,
        threads=threads,
        composing=composing,
        tasks=tasks,
        tokens=tokens,
        limiter=RateLimiter(settings.calls_per_minute, clock.monotonic),
        records=FirestoreRecords(client),
        cycles=CyclePorts(
            memory=memory,
            threads=threads,
            lorebook=lorebook,
            rollbacks=FirestoreRollbacks(client),
            embedder=embedder,
            souls=FirestoreSouls(client),
            plays=FirestorePlays(client),
            model=choose_model(settings, tokens),
            prompts=prompts,
            tokens=tokens,
            tasks=tasks,
            events=events,
            clock=clock,
            chance=SystemChance(),
            breaker=breaker,
            budget=FirestoreBudget(client, budget_limits(settings)),
            settings=settings,
        ),
        play_parts=FirestorePlayParts(client),
        replying=ReplyPorts(
            composing=composing,
            replies=FirestoreReplies(client),
            model=choose_chat_model(settings, tokens),
            chance=SystemChance(),
            aside=aside,
        ),
        changing=ChangePorts(
            changes=FirestoreChanges(client),
            memory=memory,
            threads=threads,
            lorebook=lorebook,
            embedder=embedder,
            souls=FirestoreSouls(client),
            tokens=tokens,
            clock=clock,
            settings=settings,
        ),
        sweeping=SweepPorts(
            irregularities=FirestoreIrregularities(client),
            memory=memory,
            threads=threads,
            tasks=tasks,
            tokens=tokens,
            breaker=breaker,
            clock=clock,
            settings=settings,
        ),
        leaving=LeavingPorts(
            deletions=deletions,
            belongings=FirestoreBelongings(client),
            files=files,
            accounts=FirebaseAccounts(),
            users=FirestoreUsers(client),
            clock=clock,
            settings=settings,
        ),
        exporting=ExportPorts(
            records=FirestoreUserRecords(client),
            files=files,
            allowance=FirestoreExportAllowance(client),
            deletions=deletions,
            clock=clock,
            chance=SystemChance(),
            settings=settings,
        ),
    )


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from variables named like the fields, in capitals; blank ones are unset.

    Raises pydantic's ValidationError, which names the variable that does not fit.
    """
    given = {name: environment.get(name.upper(), "").strip() for name in Settings.model_fields}
    return Settings.model_validate(
        {
            name: json.loads(value) if value.startswith("{") else value
            for name, value in given.items()
            if value
        }
    )


def prompt_files(settings: Settings) -> PromptFiles:
    """The prompts, in the versions that the settings say. Raises ValueError, naming the setting."""
    prompts = PromptFiles(versions=settings.prompt_versions, canaries=settings.prompt_canary)
    prompts.check()
    return prompts


def budget_limits(settings: Settings) -> dict[str, tuple[int, int]]:
    """Calls and tokens a day, for each user and for the project."""
    return {
        "user": (settings.user_calls_per_day, settings.user_tokens_per_day),
        "project": (settings.project_calls_per_day, settings.project_tokens_per_day),
    }


def choose_storage(
    settings: Settings, project: str, events: JsonEventLog
) -> CloudStorage | NoStorage:
    """Cloud Storage, or its emulator; no emulator's functions ever reach the real one."""
    emulator = os.environ.get("STORAGE_EMULATOR_HOST", "")
    if not emulator and os.environ.get("FUNCTIONS_EMULATOR", "").lower() == "true":
        return NoStorage()
    return CloudStorage(
        project,
        bucket=storage_bucket(settings, project),
        emulator=emulator,
        warn=lambda reason: events.warn("no_bucket", reason=reason),
    )
