"""The few error classes of the core, each named for what its catcher does next.

No message here ever carries a user's text, a persona or a key: names of fields, documents
and settings only. `functions/failures.py` maps each to an answer of the platform.
"""

from shared.model.reply import ReplyFailure


class SoulMemoryError(Exception):
    """What every error of the core is; catch a subclass, not this."""


class InvalidArgumentError(SoulMemoryError):
    """The caller's input does not fit; the caller must change it. Names the field."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class DocumentNotFoundError(SoulMemoryError):
    """A document that the call needs does not exist. Names its path."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} does not exist")
        self.path = path


class DocumentMisshapenError(SoulMemoryError):
    """A stored document does not fit the contract; its owner must mend it."""

    def __init__(self, path: str, field: str, reason: str) -> None:
        super().__init__(f"{path}, field {field}: {reason}")
        self.path = path
        self.field = field


class PermissionDeniedError(SoulMemoryError):
    """The caller is known and may not do this."""


class RetryLaterError(SoulMemoryError):
    """Nothing is wrong that time does not cure; the queue or the trigger tries again."""


class RevisedError(RetryLaterError):
    """What a cycle has read was edited or deleted meanwhile; it begins anew."""


class CycleUnderWayError(RetryLaterError):
    """Another cycle of this thread goes first; the caller is told which, and asks again."""


class ReplyFailedError(SoulMemoryError):
    """The Soul has not answered; `kind` is what an app may show. The user's message stays."""

    def __init__(self, kind: ReplyFailure) -> None:
        super().__init__(f"no reply: {kind}")
        self.kind: ReplyFailure = kind


class StaleClaimError(SoulMemoryError):
    """Another worker holds or has finished this cycle; drop what was done and say nothing."""


class UserGoneError(StaleClaimError):
    """The user's data was deleted: nothing may be written; what came late is to be deleted."""

    def __init__(self) -> None:
        super().__init__("the data of this user was deleted")


class LimitReachedError(SoulMemoryError):
    """The caller has asked for as many as a setting allows; later. Names the setting."""

    def __init__(self, setting: str) -> None:
        super().__init__(f"the limit {setting} is reached: try again tomorrow")
        self.setting = setting


class StorageUnusableError(SoulMemoryError):
    """A file cannot be kept or handed out: a setting or a role is missing; the text says which."""


class RecallIndexError(SoulMemoryError):
    """The packed index of the lorebook cannot be used; rebuild it from the entries."""


class ModelError(SoulMemoryError):
    """A model call that gave no usable text. Its subclass says what to do about it."""

    failure_class = "transient"


class ModelUnavailableError(ModelError):
    """Transient: time-outs, 408, 429, 5xx, resets. Try again with back-off."""

    failure_class = "transient"

    def __init__(self, reason: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class BudgetExceededError(ModelError):
    """Budget: the day's calls or tokens are spent. Later, and the chat goes on meanwhile."""

    failure_class = "budget"


class ModelBlockedError(ModelError):
    """Content: the provider refused the prompt or its answer. The same input fails again."""

    failure_class = "content"


class ModelMisconfiguredError(ModelError):
    """Configuration: a key, a permission, a request the provider cannot read. No retry."""

    failure_class = "configuration"


class ModelNotFoundError(ModelMisconfiguredError):
    """Configuration: the model id is retired or unknown (404). Its fallbacks may still be there."""


class ModelOutputError(ModelError):
    """Format: the text does not read as the document that was asked for. Old slots stay."""

    failure_class = "format"
