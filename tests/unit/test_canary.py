"""A new prompt version is one file, and may be tried on a share of threads first."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import ValidationError

from functions.adapters.prompt_files import PromptFiles
from functions.services import prompt_files, read_settings
from shared.canary import Canary, is_on_canary
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import RetryLaterError
from shared.model.cycle import Cycle, PromptUsed
from shared.model.thread import Thread, ThreadKey
from shared.prompting import PromptTemplate
from shared.settings import Settings
from tests.factories import FIRST_MEMORY, KEY, NOW, World, message, play, play_summaries, summary
from tests.fakes import FakeModel
from tests.unit.replying.desk import Desk

PROMPTS = Path(__file__).parents[2] / "prompts"
EVERYBODY, NOBODY = 1.0, 0.0
V7 = {"version": "v7", "share": 0.1}
NEXT = {"model": "gemini-next", "share": 0.1}
ON_V5 = "하나의 사건은 하나의 기록으로 남기고 지어내지 않는다는 다섯째 판의 문장이다."
ON_V6 = "하나의 사건은 하나의 기록으로 남기고 지어내지 않는다는 여섯째 판의 문장이다."


def thread(number: int) -> ThreadKey:
    return ThreadKey(uid=f"사용자{number}", soul_id="sohee")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with today's prompts; chat_summary.v5 says a sentence that may not be repeated."""
    shutil.copytree(PROMPTS, tmp_path / "prompts")
    drop(tmp_path, "chat_summary", "v5", "v5", ON_V5)
    return tmp_path


def drop(root: Path, name: str, version: str, as_version: str, sentence: str = "") -> Path:
    """Put a version of a prompt there: one file, with a sentence of its own."""
    text = (PROMPTS / f"{name}.{version}.md").read_text("utf-8")
    text = text.replace(f"version: {version}", f"version: {as_version}")
    file = root / "prompts" / f"{name}.{as_version}.md"
    file.write_text(text.replace("{% block system %}\n", f"{{% block system %}}\n{sentence}\n", 1))
    return file


def files(root: Path, **settings: object) -> PromptFiles:
    given = Settings.model_validate(settings)
    return PromptFiles(root, versions=given.prompt_versions, canaries=given.prompt_canary)


def canary(share: float, **what: str) -> Mapping[str, object]:
    return {"prompt_canary": {"chat_summary": {"share": share, **what}}}


def summarizing(prompts: PromptFiles, *answers: str) -> World:
    world = World(model=FakeModel(*answers), prompts=prompts)
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    world.chat(12)
    world.clock.pass_time(10)
    return world


def audit(world: World) -> Cycle:
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    return cycle


class TestTheSides:
    @pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
    def test_a_share_is_that_share_of_threads(self, share: float) -> None:
        on = sum(is_on_canary(thread(number), "chat_summary", share) for number in range(10_000))
        # Four standard deviations of as many throws.
        assert abs(on - 10_000 * share) < 4 * (10_000 * share * (1 - share)) ** 0.5

    def test_nobody_and_everybody_are_exact(self) -> None:
        for number in range(1_000):
            assert is_on_canary(thread(number), "chat", EVERYBODY)
            assert not is_on_canary(thread(number), "chat", NOBODY)

    def test_a_thread_stays_on_its_side_and_with_a_share_that_grows(self) -> None:
        sides = {
            share: [is_on_canary(thread(number), "chat", share) for number in range(1_000)]
            for share in (0.1, 0.3)
        }
        assert sides[0.1] == [is_on_canary(thread(number), "chat", 0.1) for number in range(1_000)]
        assert all(wide for wide, narrow in zip(sides[0.3], sides[0.1], strict=True) if narrow)

    def test_the_sides_are_those_of_every_instance_and_release(self) -> None:
        """Fixed values: another hash would move threads over in the middle of a trial."""
        on = [number for number in range(40) if is_on_canary(thread(number), "chat_summary", 0.3)]
        assert on == [0, 3, 8, 18, 25, 29, 35, 37]

    def test_one_prompts_side_says_nothing_of_anothers(self) -> None:
        both = sum(
            is_on_canary(thread(number), "chat", 0.5)
            and is_on_canary(thread(number), "chat_summary", 0.5)
            for number in range(10_000)
        )
        assert 2_300 < both < 2_700

    def test_a_user_may_be_on_both_sides_with_two_souls(self) -> None:
        sides = {
            is_on_canary(ThreadKey(uid="u1", soul_id=f"소울{number}"), "chat", 0.5)
            for number in range(50)
        }
        assert sides == {True, False}


class TestOneFile:
    def test_is_all_that_a_new_version_takes(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6", ON_V6)
        world = summarizing(files(root), summary())
        assert world.summarize().outcome == "applied"
        output = audit(world).output
        assert output is not None
        assert output.prompt.version == "v6"
        assert ON_V6 in world.model.requests[0].system

    def test_so_too_for_the_chat_and_a_seed(self, root: Path) -> None:
        drop(root, "chat", "v6", "v7")
        drop(root, "memory_extraction", "v4", "v5")
        world = World(model=FakeModel(FIRST_MEMORY), prompts=files(root))
        world.plays.plays = [play("p1")]
        world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
        assert world.seed().memory_status == "ready"
        output = audit(world).output
        assert output is not None
        assert output.prompt.version == "v5"
        composed = compose_prompt(ComposePrompt(thread=KEY), ports=world.composing()).prompt
        assert composed.prompt.version == "v7"

    def test_a_setting_keeps_another_version(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6", ON_V6)
        world = summarizing(files(root, prompt_versions={"chat_summary": "v5"}), summary())
        world.summarize()
        assert ON_V5 in world.model.requests[0].system


class TestACanary:
    def test_takes_its_share_and_leaves_the_others_what_they_have(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6")
        prompts = files(root, **canary(0.1, version="v6"))
        for number in range(200):
            is_on = is_on_canary(thread(number), "chat_summary", 0.1)
            found = prompts.load("chat_summary", thread(number))
            assert found.version == ("v6" if is_on else "v5")
        assert prompts.load("chat_summary").version == "v5"

    def test_back_to_nothing_nobody_has_it(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6")
        prompts = files(root, **canary(NOBODY, version="v6"))
        assert prompts.load("chat_summary", thread(1)).version == "v5"

    def test_may_be_an_older_version(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6")
        on, off = (files(root, **canary(share, version="v5")) for share in (EVERYBODY, NOBODY))
        assert on.load("chat_summary", thread(1)).version == "v5"
        assert off.load("chat_summary", thread(1)).version == "v6"

    def test_stands_beside_a_version_that_is_kept(self, root: Path) -> None:
        for version in ("v6", "v7"):
            drop(root, "chat_summary", "v5", version)
        settings = {"prompt_versions": {"chat_summary": "v5"}, **canary(NOBODY, version="v6")}
        assert files(root, **settings).load("chat_summary", thread(1)).version == "v5"

    def test_may_be_a_model_alone(self, root: Path) -> None:
        prompts = files(root, **canary(EVERYBODY, model="gemini-next"))
        usual, tried = prompts.load("chat_summary"), prompts.load("chat_summary", KEY)
        assert (tried.model, tried.version) == ("gemini-next", usual.version)
        assert tried.fallback_models == (usual.model, *usual.fallback_models)

    def test_may_be_a_model_that_is_a_fallback(self, root: Path) -> None:
        usual = files(root).load("chat_summary")
        prompts = files(root, **canary(EVERYBODY, model=usual.fallback_models[0]))
        tried = prompts.load("chat_summary", KEY)
        assert (tried.model, *tried.fallback_models) == (
            usual.fallback_models[0],
            usual.model,
            *usual.fallback_models[1:],
        )

    def test_the_audit_tells_the_sides_apart(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6", ON_V6)
        seen = set()
        for share in (EVERYBODY, NOBODY):
            prompts = files(root, **canary(share, version="v6", model="gemini-next"))
            world = summarizing(prompts, summary())
            world.summarize()
            output = audit(world).output
            assert output is not None
            seen.add((output.prompt.version, output.prompt.sha256, output.model_asked))
        assert {one[0::2] for one in seen} == {
            ("v6", "gemini-next"),
            ("v5", "gemini-3-flash-preview"),
        }
        assert len({one[1] for one in seen}) == 2

    def test_a_reply_asks_its_model_first_and_falls_back_on_the_usual_one(self, root: Path) -> None:
        tried = {"chat": {"model": "gemini-next", "share": EVERYBODY}}
        desk = Desk("강릉 가자")
        desk.world.prompts = files(root, prompt_canary=tried)
        desk.world.say(message(0, "어디 갈까"))
        desk.reply()
        usual = files(root).load("chat")
        (asked,) = desk.model.requests
        assert asked.models == ("gemini-next", usual.model, *usual.fallback_models)
        assert asked.prompt.model == "gemini-next"


class DyingBefore(PromptFiles):
    """The worker dies once its output is kept, before it is held against anything."""

    def made_with(self, used: PromptUsed) -> PromptTemplate:
        raise ConnectionError


class TestAKeptOutput:
    """A worker died; meanwhile another version was deployed, or withdrawn."""

    def test_is_held_against_the_prompt_that_made_it(self, root: Path) -> None:
        world = summarizing(DyingBefore(root), summary(f"말했다. {ON_V5}"))
        with pytest.raises(ConnectionError):
            world.summarize()
        world.clock.pass_time(world.settings.lease_seconds + 1)
        drop(root, "chat_summary", "v5", "v6", ON_V6)
        world.prompts = files(root)
        with pytest.raises(RetryLaterError, match="format"):
            world.summarize()
        (rejection,) = audit(world).rejections
        assert rejection.failure.reason == "the output repeats its prompt"

    def test_is_not_held_against_one_that_did_not(self, root: Path) -> None:
        world = summarizing(files(root), summary(f"말했다. {ON_V6}"))
        with world.dying_worker():
            world.summarize()
        drop(root, "chat_summary", "v5", "v6", ON_V6)
        world.prompts = files(root)
        assert world.summarize().outcome == "applied"
        assert len(world.model.requests) == 1

    def test_of_a_withdrawn_prompt_is_asked_for_anew(self, root: Path) -> None:
        file = drop(root, "chat_summary", "v5", "v6", ON_V6)
        world = summarizing(files(root), summary(), summary())
        with world.dying_worker():
            world.summarize()
        file.unlink()
        world.prompts = files(root)
        with pytest.raises(RetryLaterError):
            world.summarize()
        assert world.summarize().outcome == "applied"
        output = audit(world).output
        assert output is not None
        assert output.prompt.version == "v5"

    def test_of_a_seed_too(self, root: Path) -> None:
        file = drop(root, "memory_extraction", "v4", "v5")
        world = World(model=FakeModel(FIRST_MEMORY, FIRST_MEMORY), prompts=files(root))
        world.plays.plays = [play("p1")]
        world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
        with world.dying_worker():
            world.seed()
        file.unlink()
        world.prompts = files(root)
        with pytest.raises(RetryLaterError):
            world.seed()
        assert world.seed().memory_status == "ready"

    def test_has_its_prompt_by_name_and_version(self, root: Path) -> None:
        drop(root, "chat_summary", "v5", "v6")
        used = PromptUsed(name="chat_summary", version="v5", sha256="0" * 64)
        assert files(root).made_with(used).version == "v5"


class TestTheSettings:
    def test_are_json(self) -> None:
        settings = read_settings(
            {
                "PROMPT_VERSIONS": '{"chat": "v6"}',
                "PROMPT_CANARY": '{"chat_summary": {"version": "v6", "share": 0.1}}',
            }
        )
        assert settings.prompt_versions == {"chat": "v6"}
        assert settings.prompt_canary == {"chat_summary": Canary(version="v6", share=0.1)}

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"prompt_canary": {"chat": {"version": "v7", "share": 1.5}}}, "share"),
            ({"prompt_canary": {"chat": {"version": "7", "share": 0.5}}}, "version"),
            ({"prompt_canary": {"chat": {"version": "v7"}}}, "share"),
            ({"prompt_versions": {"chat": "newest"}}, "prompt_versions"),
            (
                {"prompt_versions": {"chat": "v7"}, "prompt_canary": {"chat": V7}},
                "prompt_versions gives chat",
            ),
            ({"chat_model": "m", "prompt_canary": {"chat": NEXT}}, "set by chat_model"),
            ({"memory_model": "m", "prompt_canary": {"chat_summary": NEXT}}, "set by memory_model"),
        ],
    )
    def test_that_do_not_fit_are_named(self, given: Mapping[str, object], told: str) -> None:
        with pytest.raises(ValidationError, match=told):
            Settings.model_validate(given)

    def test_another_prompts_model_may_be_tried(self) -> None:
        given = {"chat_model": "m", "prompt_canary": {"chat_summary": {"model": "n", "share": 1}}}
        assert Settings.model_validate(given).prompt_canary

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"prompt_versions": {"chat": "v9"}}, "PROMPT_VERSIONS: there is no prompts/chat.v9"),
            (
                {"prompt_canary": {"chat_summary": {"version": "v9", "share": 0}}},
                "PROMPT_CANARY: there is no prompts/chat_summary.v9.md",
            ),
            (
                {"prompt_canary": {"chat_sumary": {"model": "m", "share": 0}}},
                "PROMPT_CANARY: there is no prompts/chat_sumary",
            ),
        ],
    )
    def test_that_name_no_file_are_refused_at_the_start(
        self, given: Mapping[str, object], told: str
    ) -> None:
        with pytest.raises(ValueError, match=told):
            prompt_files(Settings.model_validate(given))
