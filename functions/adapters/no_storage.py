# ruff: noqa: ARG002
"""The ports of Cloud Storage where there is none: an emulator suite without its emulator."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from shared.errors import StorageUnusableError
from shared.exporting.export_ports import KeptFile
from shared.leaving.leaving_ports import DeletedPage

_NO_EMULATOR = "no storage emulator runs: `make setup` says what it needs"


class NoStorage:
    """Holds nothing, and takes nothing."""

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:
        return DeletedPage(count=0)

    def delete_old_exports(self, before: datetime, *, limit: int) -> int:
        return 0

    def images(self, uid: str) -> Iterable[KeptFile]:
        return ()

    def keep(self, path: str, texts: Iterable[str]) -> int:
        raise StorageUnusableError(_NO_EMULATOR)

    def hand_out(self, path: str, *, lasting: timedelta) -> str:
        raise StorageUnusableError(_NO_EMULATOR)

    def remove(self, path: str) -> None:
        """There is none."""
