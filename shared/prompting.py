"""Prompts as strict templates: every variable has a name, and a value is inserted once.

A prompt's body is Jinja made of named blocks. It runs in a sandbox without globals, and a
value is never read as a template again: what a user types stays as typed.
"""

import re
from functools import lru_cache

from jinja2 import StrictUndefined, Template, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, model_validator

from shared.errors import SoulMemoryError

_MANY_NEWLINES = re.compile(r"\n{3,}")


class PromptInputError(SoulMemoryError):
    """The values given, or the inputs listed, are not those of the body: mend code or file.

    Carries names of variables and of the prompt, never a value.
    """


class PromptTemplate(BaseModel):
    """One prompt file, read: what to ask which model, and where its rules come from.

    `inputs` names every variable of `body`; `sha256` is that of the file's bytes, in hex;
    `fallback_models` are tried in order when `model` is retired.
    Building one raises `PromptInputError` when `inputs` and the body disagree.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    version: str = Field(pattern=r"^v[1-9][0-9]*$")
    model: str = Field(min_length=1)
    fallback_models: tuple[str, ...]
    temperature: float = Field(ge=0, le=2)
    reasoning: bool
    inputs: tuple[str, ...]
    source: str = Field(min_length=1)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    body: str

    @model_validator(mode="after")
    def _inputs_are_those_of_the_body(self) -> "PromptTemplate":
        parsed = _environment().parse(self.body)
        used = meta.find_undeclared_variables(parsed)
        _require_none(
            self,
            ("listed but not used", set(self.inputs) - used),
            ("used but not listed", used - set(self.inputs)),
            ("listed twice", {name for name in self.inputs if self.inputs.count(name) > 1}),
            ("text outside of every block", _stray_text(parsed)),
        )
        return self


def render(template: PromptTemplate, **values: object) -> dict[str, str]:
    """Fill the template and answer block name -> text.

    Each text is stripped at both ends, and a run of three or more newlines becomes two.
    Raises `PromptInputError` naming every missing and every unknown variable at once;
    `None` counts as missing, for it would be written out as the word.
    """
    given = {name for name, value in values.items() if value is not None}
    _require_none(
        template,
        ("missing", set(template.inputs) - given),
        ("unknown", set(values) - set(template.inputs)),
    )
    compiled = _compile(template.body)
    context = compiled.new_context(values)
    return {name: _tidy("".join(block(context))) for name, block in compiled.blocks.items()}


def _require_none(template: PromptTemplate, *faults: tuple[str, set[str]]) -> None:
    found = [f"{fault}: {', '.join(sorted(names))}" for fault, names in faults if names]
    if found:
        raise PromptInputError(f"prompt {template.name} {template.version}: {'; '.join(found)}")


def _stray_text(parsed: nodes.Template) -> set[str]:
    """What stands between blocks: it would be lost without a word."""
    outside = [node for node in parsed.body if not isinstance(node, nodes.Block)]
    return {f"line {node.lineno} of the body" for node in outside if not _is_blank(node)}


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )


def _tidy(text: str) -> str:
    return _MANY_NEWLINES.sub("\n\n", text).strip()


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.globals.clear()
    return environment


@lru_cache(maxsize=32)
def _compile(body: str) -> Template:
    return _environment().from_string(body)
