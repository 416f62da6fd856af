"""Every setting of the product, with its default; the README's table is made of this."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from shared.canary import Canary, PromptVersion
from shared.model.base import Frozen
from shared.recall.recall_settings import RecallSettings

Positive = Annotated[int, Field(gt=0)]
NonNegative = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]


def _zero_or_at_least(least: int) -> AfterValidator:
    def check(days: int) -> int:
        if 0 < days < least:
            raise ValueError(f"must be 0, or {least} or more")
        return days

    return AfterValidator(check)


# Less than two weeks would leave cycles that lag, and the sweep that rouses them, no time.
MessageDays = Annotated[NonNegative, _zero_or_at_least(14)]
AuditDays = Annotated[NonNegative, _zero_or_at_least(7)]


class Settings(Frozen):
    """Read once, on the first call, from environment variables named like the fields in capitals.

    Counts are in o200k_base tokens, times in seconds, sizes in characters.
    """

    cycle_trigger_tokens: Positive = Field(
        10_000, description="pending tokens at which a summary cycle is asked for (PRD §6.1)"
    )
    cycle_max_tokens: Positive = Field(
        40_000, description="most tokens of messages that one cycle consumes"
    )
    settle_seconds: Seconds = Field(
        5, description="how far behind the clock a cycle cuts its snapshot"
    )
    lease_seconds: Seconds = Field(540, description="how long a worker may hold a cycle")
    model_timeout_seconds: Seconds = Field(240, description="deadline of one model call")
    prompt_budget_tokens: Positive = Field(24_000, description="most tokens of a composed prompt")
    lorebook_budget_tokens: Positive = Field(
        1_200, description="most tokens of recalled lorebook entries in a prompt"
    )
    recall: RecallSettings = Field(
        default_factory=RecallSettings,
        description="recall's weights and limits, as JSON: shared/recall/recall_settings.py",
    )
    embedding_model: str = Field(
        "", description="Gemini embedding model of recall's semantic lane; empty: no such lane"
    )
    embedding_dimensions: Positive = Field(256, description="numbers in one embedding")
    embedding_timeout_seconds: Seconds = Field(2, description="deadline of one embedding call")
    window_max_messages: Positive = Field(
        1_000, description="most live messages that a prompt reads"
    )
    image_bucket: str = Field(
        "", description="bucket that images are in; empty: the project's `.firebasestorage.app`"
    )
    image_tokens: NonNegative = Field(
        258, description="tokens that an image counts as (Gemini 3 takes up to 1,120 for one)"
    )
    prompt_max_images: NonNegative = Field(
        4, description="most images that a prompt shows, the newest; older ones are only named"
    )
    seed_wait_seconds: Seconds = Field(
        10, description="how long compose_prompt waits for a seed under way"
    )
    seed_max_characters: Positive = Field(
        60_000, description="most characters of summaries that a seed reads"
    )
    import_wait_seconds: Seconds = Field(
        20, description="how long load_recent_memories waits for an import before it says `running`"
    )
    sweep_limit: Positive = Field(
        200, description="most things of one sort that one sweep sets going"
    )
    user_calls_per_day: NonNegative = Field(
        200, description="most model calls of memory for one user a day; 0 is no limit"
    )
    user_tokens_per_day: NonNegative = Field(
        3_000_000, description="most tokens, in and out, of one user's memory a day; 0 is no limit"
    )
    project_calls_per_day: NonNegative = Field(
        0, description="most model calls of memory for everybody a day; 0 is no limit"
    )
    project_tokens_per_day: NonNegative = Field(
        0, description="most tokens of everybody's memory a day; 0 is no limit"
    )
    budget_time_zone: str = Field("Asia/Seoul", description="where a budget's day begins")
    calls_per_minute: NonNegative = Field(
        120, description="most calls of one user a minute, for each instance; 0 is no limit"
    )
    app_check: bool = Field(False, description="whether callables ask for an App Check token")
    reply_timeout_seconds: Seconds = Field(60, description="deadline of one reply's model call")
    replies_per_day: NonNegative = Field(
        500, description="most replies that one user asks for a day; 0 is no limit"
    )
    exports_per_day: NonNegative = Field(
        3, description="most exports of one user a day; 0 is no limit"
    )
    delete_auth_user: bool = Field(
        False, description="whether delete_my_data deletes the sign-in account too, at its end"
    )
    accounts_per_night: NonNegative = Field(
        100,
        description="most users without a sign-in account whose data one night deletes; 0: none,"
        " for apps whose uids are not Firebase Auth's",
    )
    compose_callers: Literal["owner", "server"] = Field(
        "owner",
        description="who may call compose_prompt: a thread's owner, or callers with the claim"
        " `server: true`, who name the `uid`",
    )
    rating: str = Field("18+", description="the rating line of the overview (PRD §8-A)")
    chat_model: str = Field("", description="overrides the chat model of prompts/chat")
    memory_model: str = Field("", description="overrides the model of the memory prompts")
    model_provider: Literal["", "gemini", "vertex", "extractive"] = Field(
        "", description="which model to use; empty: by the environment, as the README says"
    )
    message_retention_days: MessageDays = Field(
        0, description="days after which a raw message is deleted, 14 or more; 0 keeps it"
    )
    audit_retention_days: AuditDays = Field(
        0, description="days after which an ended cycle's audit is deleted, 7 or more; 0 keeps it"
    )
    prompt_versions: dict[str, PromptVersion] = Field(
        {}, description='versions of prompts, as JSON: `{"chat": "v6"}`; else each one\'s newest'
    )
    prompt_canary: dict[str, Canary] = Field(
        {},
        description="another version or model for a share of threads, as JSON:"
        ' `{"chat_summary": {"version": "v6", "share": 0.1}}`',
    )

    @model_validator(mode="after")
    def _no_canary_is_overruled(self) -> Self:
        """A canary that nobody meets, or that everybody does, would look like one that is sound."""
        for name, canary in self.prompt_canary.items():
            overrule = "chat_model" if name == "chat" else "memory_model"
            if canary.model and getattr(self, overrule):
                raise ValueError(f"prompt_canary: the model of {name} is set by {overrule} already")
            if canary.version and self.prompt_versions.get(name) == canary.version:
                raise ValueError(f"prompt_canary: prompt_versions gives {name} to everybody")
        return self
