"""What all documents and payloads have in common."""

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Frozen(BaseModel):
    """Plain data: immutable, and a field that nobody declared is an error, not a surprise."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Stored(BaseModel):
    """A document others may write to as well: unknown fields are theirs, and are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


Moment = Annotated[datetime, AwareDatetime]
