"""What a prompt looks like when it is filled: headings, empties, and values left as typed."""

import pytest
from jinja2.exceptions import SecurityError, UndefinedError

from shared.prompting import PromptInputError, PromptTemplate, render
from tests.prompts.cases import NAMES, PROMPTS, Case, inputs_of, read, rendered


class Rendering(Case):
    """`headings`: every line that starts with #; `lines`: whole lines; `text`: all of it."""

    block: str
    headings: list[str] | None = None
    lines: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    text: str | None = None


@pytest.mark.parametrize("case", read("render.yaml", Rendering), ids=lambda case: case.case)
def test_prompt_renders_as_written(case: Rendering) -> None:
    text = rendered(case)[case.block]
    lines = text.split("\n")
    if case.headings is not None:
        assert [line for line in lines if line.startswith("#")] == case.headings
    assert set(case.lines) <= set(lines)
    assert [found for found in case.absent if found in text] == []
    assert case.text is None or text == case.text


@pytest.mark.parametrize("name", NAMES)
def test_blocks_of_a_prompt(name: str) -> None:
    second = "context" if name == "chat" else "user"
    assert list(render(PROMPTS.load(name), **inputs_of(name))) == ["system", second]


@pytest.mark.parametrize("name", NAMES)
def test_every_missing_and_unknown_input_is_named_at_once(name: str) -> None:
    template = PROMPTS.load(name)
    given: dict[str, object] = dict.fromkeys(template.inputs, "값")
    missing = sorted(template.inputs)[:2]
    given = {**given, missing[1]: None, "zeta": "비밀", "alpha": "비밀"}
    del given[missing[0]]
    with pytest.raises(PromptInputError) as error:
        render(template, **given)
    assert str(error.value) == (
        f"prompt {name} {template.version}: missing: {', '.join(missing)}; unknown: alpha, zeta"
    )


def test_listed_inputs_must_be_those_of_the_body() -> None:
    with pytest.raises(PromptInputError) as error:
        a_template("{% block system %}{{ a }} {{ b }}{% endblock %}", inputs=("b", "c", "c"))
    assert str(error.value) == (
        "prompt chat v1: listed but not used: c; used but not listed: a; listed twice: c"
    )


@pytest.mark.parametrize("stray", ["잃어버릴 글", "{{ b }}", "{% if b %}{% endif %}"])
def test_text_outside_of_blocks_would_be_lost(stray: str) -> None:
    body = "{% block system %}{{ b }}{% endblock %}\n" + stray
    with pytest.raises(PromptInputError, match="text outside of every block: line"):
        a_template(body, inputs=("b",))


def test_template_has_no_globals_and_a_sandbox() -> None:
    with pytest.raises(PromptInputError, match="used but not listed: range"):
        a_template("{% block system %}{{ range(9) }}{% endblock %}", inputs=())
    reach = a_template("{% block system %}{{ b.__class__.__mro__ }}{% endblock %}", inputs=("b",))
    with pytest.raises(SecurityError, match="unsafe"):
        render(reach, b="글")


def test_what_a_value_does_not_have_is_an_error() -> None:
    template = a_template("{% block system %}{{ b.title_of_b }}{% endblock %}", inputs=("b",))
    with pytest.raises(UndefinedError):
        render(template, b="글")


def a_template(body: str, *, inputs: tuple[str, ...]) -> PromptTemplate:
    """The chat prompt with another body."""
    known = PROMPTS.load("chat").model_dump()
    return PromptTemplate.model_validate(known | {"version": "v1", "body": body, "inputs": inputs})
