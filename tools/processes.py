"""Starting other programs, waiting until they are ready and stopping all of their children."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, current_thread, main_thread
from types import FrameType

HOST = "127.0.0.1"
_POLL_SECONDS = 0.1
_KILL_SECONDS = 5.0

Check = Callable[[], bool]


class NotReadyError(Exception):
    """A program ended, or its time ran out, before it was ready."""


class Program:
    """One running program, its log file and everything that it starts itself."""

    def __init__(
        self, command: Sequence[str], *, folder: Path, log: Path, env: Mapping[str, str]
    ) -> None:
        """Start it in `folder`, in a process group of its own, so that Ctrl-C reaches only us."""
        self.log = log
        self._children: dict[int, str] = {}
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def has_ended(self) -> bool:
        """Whether the program ended by itself."""
        return self._process.poll() is not None

    def wait_until(self, is_ready: Check, *, seconds: float) -> None:
        """Wait for readiness, `seconds` at most; NotReadyError says which way it failed."""
        deadline = time.monotonic() + seconds
        while not is_ready():
            if self.has_ended:
                raise NotReadyError(f"ended with code {self._process.returncode}")
            if time.monotonic() > deadline:
                raise NotReadyError(f"was not ready after {seconds:.0f} s")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL_SECONDS)
        self.note_children()

    def note_children(self) -> None:
        """Remember what it has started, so that it can be stopped even when orphaned."""
        self._children.update(descendants(self._process.pid))

    def stop(self, *, seconds: float) -> None:
        """Ask it to end, wait `seconds` at most, then end whatever is left of it."""
        self.note_children()
        try:
            if not self.has_ended:
                self._process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._kill_orphans()
            self._process.wait()

    def _kill_orphans(self) -> None:
        deadline = time.monotonic() + _KILL_SECONDS
        while orphans := self._running_children():
            for pid in orphans:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                return
            Event().wait(_POLL_SECONDS)  # the kernel takes a moment to free their ports

    def _running_children(self) -> list[int]:
        running = {pid: command for pid, _, command in _process_table()}
        # A number alone proves nothing: it may be someone else's by now.
        return [pid for pid, command in self._children.items() if running.get(pid) == command]


def descendants(pid: int) -> dict[int, str]:
    """List the running children of a process, and theirs, with their command lines."""
    found: dict[int, str] = {}
    parents = {pid}
    table = list(_process_table())
    while parents:
        children = {child: command for child, parent, command in table if parent in parents}
        parents = set(children) - set(found)
        found.update(children)
    return found


def _process_table() -> Iterator[tuple[int, int, str]]:
    command = ["ps", "-A", "-o", "pid=,ppid=,command="]
    listing = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in listing.splitlines():
        pid, parent, *rest = line.split(maxsplit=2)
        yield int(pid), int(parent), rest[0] if rest else ""


def is_port_free(port: int) -> bool:
    """Tell whether a server could listen on this port of the local machine."""
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            server.bind((HOST, port))
            return True
    return False


def free_port() -> int:
    """Pick a port that nothing listens on."""
    with socket.socket() as server:
        server.bind((HOST, 0))
        return int(server.getsockname()[1])


def is_answering(port: int) -> bool:
    """Tell whether a server accepts connections on this port of the local machine."""
    with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False


def tail(log: Path, lines: int) -> str:
    """Give the last lines of a log file, for an error message."""
    with suppress(OSError):
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    return ""


def follow(log: Path, write: Callable[[str], object], until: Check) -> None:
    """Hand on a growing log file, from its beginning, until the program behind it has ended."""
    pause = Event()
    with log.open(encoding="utf-8", errors="replace") as source:
        while not until():
            for line in source:
                write(line)
            pause.wait(_POLL_SECONDS)


@contextmanager
def terminate_like_interrupt() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, so that what was started is stopped then too."""
    previous = signal.getsignal(signal.SIGTERM)
    if current_thread() is not main_thread() or previous is not signal.SIG_DFL:
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
