"""The `Clock` and `Chance` ports: the machine's own."""

import secrets
import threading
import time
from datetime import UTC, datetime

TOKEN_BYTES = 6


class SystemClock:
    """Wall-clock time in UTC, and a wait that holds no processor."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        threading.Event().wait(seconds)


class SystemChance:
    """Tokens of 48 random bits, in hex: short enough for every line of a prompt's fence."""

    def token(self) -> str:
        return secrets.token_hex(TOKEN_BYTES)
