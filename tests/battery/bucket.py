"""Cloud Storage in memory: files by name; every call may be lost like any other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from shared.exporting.export_ports import KeptFile
from shared.leaving.leaving_ports import DeletedPage
from tests.battery.lost_calls import remote
from tests.fakes import FakeClock

PAGE = 3


@dataclass
class Bucket:
    """The `UserFiles` and `ExportFiles` ports."""

    clock: FakeClock
    files: dict[str, str] = field(default_factory=dict)
    made: dict[str, datetime] = field(default_factory=dict)

    def put(self, path: str, text: str = "") -> None:
        self.files[path] = text
        self.made[path] = self.clock.now()

    def of(self, uid: str) -> list[str]:
        """A user's files."""
        return [one for one in self.files if one.startswith((f"users/{uid}/", f"exports/{uid}/"))]

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:
        def delete() -> DeletedPage:
            page = self.of(uid)[:PAGE]
            for one in page:
                del self.files[one]
            return DeletedPage(count=len(page), after="more" if len(page) == PAGE else None)

        return remote("delete files", delete)

    def delete_old_exports(self, before: datetime, *, limit: int) -> int:
        exports = (one for one in self.files if one.startswith("exports/"))
        old = list(islice((one for one in exports if self.made[one] < before), limit))
        for one in old:
            del self.files[one]
        return len(old)

    def images(self, uid: str) -> Iterable[KeptFile]:
        for one in self.of(uid):
            if one.startswith("users/"):
                yield KeptFile(
                    path=one,
                    content_type="image/jpeg",
                    size_bytes=len(self.files[one]),
                    created_at=self.made[one],
                )

    def keep(self, path: str, texts: Iterable[str]) -> int:
        text = "".join(texts)
        remote("keep file", lambda: self.put(path, text))
        return len(text.encode())

    def hand_out(self, path: str, *, lasting: timedelta) -> str:
        return f"https://storage.example/{path}"

    def remove(self, path: str) -> None:
        remote("remove file", lambda: self.files.pop(path, None))
