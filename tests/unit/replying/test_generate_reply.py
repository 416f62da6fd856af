"""A Soul's reply: once a request, one at a time, and never at the user's cost."""

import pytest

from shared.errors import (
    DocumentNotFoundError,
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelOutputError,
    ModelUnavailableError,
    ReplyFailedError,
    UserGoneError,
)
from shared.model.reply import LiveReply
from shared.model.thread import Image
from tests.factories import KEY, NOW, message
from tests.unit.replying.desk import Desk


def desk(*answers: str | Exception, **settings: object) -> Desk:
    made = Desk(*answers, **settings)
    made.world.say(message(0, "오늘 뭐 했어?"))
    made.world.clock.pass_time(3600)
    return made


def test_a_reply_is_sent_as_bubbles_in_order() -> None:
    at = desk("[2026-05-28 (목) 23:14] 필름 맡기고 왔어\n너는?")
    given = at.reply()
    assert [one.text for one in given.messages] == ["필름 맡기고 왔어", "너는?"]
    assert at.said == ["필름 맡기고 왔어", "너는?"]
    assert at.told == at.said
    assert not given.replaced


def test_the_model_gets_the_composed_prompt() -> None:
    at = desk("응")
    at.reply()
    [request] = at.model.requests
    assert "오늘 뭐 했어?" in request.prompt.contents[-1].parts[-1].text
    assert request.models[0] == request.prompt.model
    assert len(request.models) > 1


def test_the_soul_is_typing_while_it_writes() -> None:
    at = desk("응")
    seen: list[LiveReply] = []
    at.model.meanwhile = lambda: seen.extend(at.replies.seen)
    at.reply()
    [typing] = seen
    assert typing.status == "writing"
    assert typing.expires_at > at.world.clock.now()
    assert [one.status for one in at.replies.seen] == ["writing", "done"]


def test_the_same_request_again_answers_the_same_and_asks_nobody() -> None:
    at = desk("응")
    first = at.reply("r1")
    again = at.reply("r1")
    assert again.messages == first.messages
    assert again.generation_id == first.generation_id
    assert at.said == ["응"]
    assert len(at.model.requests) == 1


def test_an_older_request_is_still_known() -> None:
    at = desk("응", "그래")
    first = at.reply("r1")
    at.world.say(message(7200, "그렇구나"))
    at.world.clock.pass_time(7200)
    at.reply("r2")
    assert at.reply("r1").messages == first.messages
    assert at.said == ["응", "그래"]


def test_a_reply_asked_for_anew_replaces_the_one_before() -> None:
    at = desk("응", "아니")
    at.reply("r1")
    at.world.clock.pass_time(60)
    given = at.reply("r2")
    assert given.replaced
    assert at.said == ["아니"]
    parts = [
        part.text for content in at.model.requests[1].prompt.contents for part in content.parts
    ]
    assert not any("응" in text.split("] ")[-1].split("\n") for text in parts)


def test_a_reply_that_was_answered_stays() -> None:
    at = desk("응", "그래")
    at.reply("r1")
    at.world.say(message(7200, "정말?"))
    at.world.clock.pass_time(7200)
    assert not at.reply("r2").replaced
    assert at.said == ["응", "그래"]


def test_one_reply_at_a_time() -> None:
    at = desk("응")
    kinds = []

    def asks_too() -> None:
        with pytest.raises(ReplyFailedError) as raised:
            at.reply("r2")
        kinds.append(raised.value.kind)

    at.model.meanwhile = asks_too
    at.reply("r1")
    assert kinds == ["busy"]
    assert at.said == ["응"]


def test_a_reply_whose_writer_died_is_taken_over_in_time() -> None:
    at = desk("늦은 답", "응", reply_timeout_seconds=60)

    class Killed(BaseException):
        pass

    def dies() -> None:
        raise Killed

    at.model.meanwhile = dies
    with pytest.raises(Killed):
        at.reply("r1")
    at.model.meanwhile = lambda: None
    with pytest.raises(ReplyFailedError, match="busy"):
        at.reply("r1")
    at.world.clock.pass_time(91)
    at.reply("r1")
    assert at.said == ["응"]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ModelBlockedError("SAFETY"), "blocked"),
        (ModelUnavailableError("503"), "retry"),
        (ModelOutputError("MAX_TOKENS"), "retry"),
        ("*한숨을 쉰다*", "retry"),
    ],
)
def test_a_failure_has_a_kind_and_leaves_the_chat_as_it_was(
    error: Exception | str, kind: str
) -> None:
    at = desk(error, "이제 돼")
    with pytest.raises(ReplyFailedError) as raised:
        at.reply("r1")
    assert raised.value.kind == kind
    assert at.replies.live is not None
    assert (at.replies.live.reply.status, at.replies.live.reply.kind) == ("failed", kind)
    assert [one.text for one in at.world.store.messages[KEY].values()] == ["오늘 뭐 했어?"]
    at.reply("r1")
    assert at.said == ["이제 돼"]


def test_the_days_replies_are_counted_and_not_overrun() -> None:
    at = desk("하나", "둘", replies_per_day=1)
    at.reply("r1")
    with pytest.raises(ReplyFailedError, match="budget"):
        at.reply("r2")
    assert len(at.model.requests) == 1
    at.world.clock.pass_time(86_400)
    at.reply("r3")
    assert len(at.model.requests) == 2


def test_a_missing_document_is_named_and_nobody_seems_to_type() -> None:
    at = desk("응")
    del at.world.store.souls[KEY.soul_id]
    with pytest.raises(DocumentNotFoundError):
        at.reply()
    assert at.replies.live is not None
    assert at.replies.live.reply.status == "failed"


def test_a_secret_is_not_said_back() -> None:
    at = desk("네 번호 010-9876-5432 맞지?")
    at.reply()
    assert at.said == ["네 번호 [REDACTED] 맞지?"]
    assert at.told == at.said


def test_messages_of_one_reply_have_one_generation() -> None:
    at = desk("응\n그래")
    given = at.reply()
    stored = [one for one in at.world.store.messages[KEY].values() if one.role == "soul"]
    assert {one.generation_id for one in stored} == {given.generation_id}
    assert stored[0].created_at >= NOW


def test_an_image_that_cannot_be_read_silences_nobody() -> None:
    at = Desk(ModelMisconfiguredError("400"), "사진이 안 보여", image_bucket="pictures")
    shown = Image(path=f"users/{KEY.uid}/images/m1", content_type="image/png")
    at.world.say(message(0, "이거 봐").model_copy(update={"image": shown}))
    at.reply()
    assert at.said == ["사진이 안 보여"]
    files = [
        sum(part.file_data is not None for one in request.prompt.contents for part in one.parts)
        for request in at.model.requests
    ]
    assert files == [1, 0]


def test_a_wrong_setting_is_not_tried_twice() -> None:
    at = desk(ModelMisconfiguredError("403"))
    with pytest.raises(ReplyFailedError, match="retry"):
        at.reply()
    assert len(at.model.requests) == 1


def test_who_has_left_is_told_so_and_not_to_wait() -> None:
    at = desk()
    at.world.store.left.add(KEY.uid)
    with pytest.raises(UserGoneError):
        at.reply()
    assert at.replies.seen == []


def test_also_by_an_instance_that_remembers_an_older_reply() -> None:
    at = desk("응")
    at.reply("r1")
    remembered, at.replies.live = at.replies.live, None
    at.world.store.left.add(KEY.uid)

    def read(key: object, *, afresh: bool = False) -> object:
        return None if afresh else remembered

    at.replies.read = read  # type: ignore[method-assign, assignment]
    with pytest.raises(UserGoneError):
        at.reply("r2")
