"""The commands. Each ends with 0; 1 where something is missing, 2 for wrong arguments, 3 where
trying again will do.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getuser
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer
from rich.console import Console

from shared.counting.recount import recount as recount_thread
from shared.history.slot_diffs import history_of
from shared.recall.rebuild_index import rebuild_index as rebuild_thread
from shared.rolling_back.rollback_memory import RollbackMemory, rollback_memory
from tools.memory.connection import (
    FAILED,
    Connection,
    NotDoneError,
    connect,
    failures_in_words,
    thread_key,
)
from tools.memory.export import as_json, memory_document, write_private
from tools.memory.reading import read_applied, read_thread
from tools.memory.tables import facts, history, thread_tables

app = typer.Typer(
    name="memory",
    help="Look into one thread's memory, and put it right. For operators.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Uid = Annotated[str, typer.Argument(metavar="UID", help="whose chat it is")]
Soul = Annotated[str, typer.Argument(metavar="SOUL", help="the id of the Soul")]
Project = Annotated[
    str,
    typer.Option(
        "--project",
        envvar=["GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"],
        help="the project, with application default credentials; or set FIRESTORE_EMULATOR_HOST",
    ),
]


@contextmanager
def connected(project: str) -> Iterator[Connection]:
    """The database; what goes wrong inside is one line on standard error and an exit code."""
    try:
        with failures_in_words():
            yield connect(project)
    except NotDoneError as error:
        typer.echo(f"memory: {error}", err=True)
        raise typer.Exit(error.code) from error


def login() -> str:
    """The name of the account that runs this, where it has one."""
    try:
        return getuser()
    except (KeyError, OSError):
        return "unknown"


def screen() -> Console:
    """Made for each command, so that it writes to the standard output of that moment."""
    return Console(markup=False, highlight=False, soft_wrap=False)


@app.command()
def show(
    uid: Uid,
    soul: Soul,
    project: Project = "",
    lorebook: Annotated[bool, typer.Option(help="list the lorebook's entries too")] = False,
    cycles: Annotated[int, typer.Option(min=1, help="how many of the newest cycles")] = 20,
) -> None:
    """Slots, fence, counter and cycles of a thread."""
    with connected(project) as of:
        kept = read_thread(of, thread_key(uid, soul), cycles=cycles)
        for table in thread_tables(kept, with_lorebook=lorebook):
            screen().print(table)


@app.command()
def diff(
    uid: Uid,
    soul: Soul,
    generation: Annotated[int | None, typer.Argument(min=1, help="this one, whole")] = None,
    project: Project = "",
) -> None:
    """Which lines came and went, generation by generation; of one, those that stayed too."""
    with connected(project) as of:
        key = thread_key(uid, soul)
        if generation is None:
            applied = read_thread(of, key).cycles
        else:
            applied = (read_applied(of, key, generation),)
        for part in history(history_of(applied), whole=generation is not None):
            screen().print(part)


@app.command()
def rollback(
    uid: Uid,
    soul: Soul,
    generation: Annotated[int, typer.Argument(min=0, help="0: before the first cycle")],
    *,
    project: Project = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask first")] = False,
    request_id: Annotated[str, typer.Option(help="the same again is the same rollback")] = "",
    operator: Annotated[str, typer.Option(help="who asks, for the audit; else the login")] = "",
) -> None:
    """Put memory back to what it was after GENERATION. Undone messages are read again."""
    with connected(project) as of:
        key = thread_key(uid, soul)
        present = read_thread(of, key, cycles=1).record.state.generation
        question = (
            f"{of.where}: put {uid} and {soul} back from generation {present} to what memory was "
            f"after generation {generation}?"
        )
        if not (yes or typer.confirm(question)):
            raise NotDoneError("nothing was changed", FAILED)
        request = request_id or uuid4().hex
        typer.echo(f"request {request}: with --request-id {request} it can be asked for again")
        command = RollbackMemory(
            thread=key,
            generation=generation,
            request_id=request,
            requested_by=operator or f"cli:{login()}",
        )
        done = rollback_memory(command, ports=of.cycles)
        screen().print(facts(f"rolled back, as cycle {done.cycle_id}", done.model_dump()))
        typer.echo("A cycle that is due now is on record; the sweep puts it on the queue.")


@app.command(name="rebuild-index")
def rebuild_index(
    uid: Uid,
    soul: Soul,
    project: Project = "",
    drop_embeddings: Annotated[
        bool, typer.Option("--drop-embeddings", help="go on without EMBEDDING_MODEL")
    ] = False,
) -> None:
    """Make the lorebook's packed index anew from its entries."""
    with connected(project) as of:
        key, ports = thread_key(uid, soul), of.cycles
        shards = ports.memory.read_cycle(key, None).state.embedding_shards
        if shards and ports.embedder is None and not drop_embeddings:
            raise NotDoneError(
                "the index has embeddings, which would be lost: set EMBEDDING_MODEL and "
                "EMBEDDING_DIMENSIONS as the functions have them, or pass --drop-embeddings"
            )
        rebuilt = rebuild_thread(
            key, memory=ports.memory, lorebook=ports.lorebook, embedder=ports.embedder
        )
        typer.echo(f"rebuild-index: {rebuilt.entries} entries in {rebuilt.shards} shards")


@app.command()
def recount(uid: Uid, soul: Soul, project: Project = "") -> None:
    """Make the counter of pending messages exact."""
    with connected(project) as of:
        key = thread_key(uid, soul)
        read_thread(of, key, cycles=1)
        done = recount_thread(key, memory=of.cycles.memory, counters=of.counters)
        if done.before == done.after:
            pending = f"{done.after.pending_messages} messages, {done.after.pending_tokens} tokens"
            typer.echo(f"recount: the counter was right: {pending}")
            return
        changed = {
            name: f"{getattr(done.before, name)} → {getattr(done.after, name)}"
            for name in ("pending_messages", "pending_tokens")
        }
        screen().print(facts("recounted", changed))


@app.command()
def export(
    uid: Uid,
    soul: Soul,
    project: Project = "",
    output: Annotated[Path | None, typer.Option(help="a new file; else standard output")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace the file")] = False,
) -> None:
    """Slots, entries and cycles of a thread as JSON, for support. Holds what was said."""
    with connected(project) as of:
        text = as_json(memory_document(read_thread(of, thread_key(uid, soul))))
        if output is None:
            typer.echo(text, nl=False)
            return
        write_private(output, text, replace=force)
        typer.echo(f"export: {output}", err=True)
