import { html } from "lit-html";
import { numberOf } from "../times";
import type { Inspection, Prompt } from "../types";
import type { Drawn, View } from "../views/view";

const PARTS = ["system", "context", "live"] as const;

export function prompt(view: View, found: Inspection): Drawn {
  const { text, state } = view;
  const sent = found.prompt;
  if (sent === null) return html`<p class="quiet">${text.noPrompt}</p>`;
  const mark = (content: string) => marked(content, state.director.marks);
  return html`${which(sent, text)} ${tokens(sent, view)} ${omitted(sent, text)}
    <h3>${text.groupA}</h3>
    <div class="sent" data-group="A">${mark(sent.system_instruction)}</div>
    <h3>${text.groupB}</h3>
    ${sent.contents.map(
      ({ role, parts }) => html`<div class="sent" data-group="B" data-role=${role}>
        <span class="tag">${role}</span>
        ${parts.map(
          (part) =>
            html`<div>${"text" in part ? mark(part.text) : html`<code>${part.file_data.file_uri}</code>`}</div>`,
        )}
      </div>`,
    )}`;
}

/** Which prompt it is: its file, the model that it is for, and the memory that it was made of. */
export function which(sent: Prompt, text: View["text"]): Drawn {
  const { name, version, sha256 } = sent.prompt;
  return html`<p class="small">
    ${name} ${version} · <code>${sha256.slice(0, 12)}</code> · ${sent.model} ·
    ${text.generation(sent.generation)}
  </p>`;
}

function tokens(sent: Prompt, { text, state }: View): Drawn {
  const { token_counts: counts } = sent;
  const count = (value: number) => text.tokens(numberOf(value, state.language));
  return html`<h3>${count(counts.total)}</h3>
    <div class="bar" aria-hidden="true">
      ${PARTS.map((part) => html`<i class=${part} style="flex-grow: ${counts[part]}"></i>`)}
    </div>
    <ul class="legend">
      ${PARTS.map(
        (part) => html`<li><i class=${part} aria-hidden="true"></i>${text.parts[part]}:
          ${count(counts[part])}</li>`,
      )}
    </ul>`;
}

function omitted(sent: Prompt, text: View["text"]): Drawn {
  if (sent.omitted.length === 0) return html`<p class="quiet">${text.nothingOmitted}</p>`;
  return html`<h3>${text.omitted}</h3>
    <ul class="omitted">
      ${sent.omitted.map(
        (one) => html`<li>
          ${text.whats[one.what] ?? one.what}: ${one.count} (${text.reasons[one.reason] ?? one.reason})
        </li>`,
      )}
    </ul>`;
}

/** The text, with the lines of the director's last edit marked. */
function marked(content: string, marks: string[]): unknown {
  if (marks.length === 0) return content;
  return content.normalize("NFC").split("\n").map((line, place) => {
    const start = place === 0 ? "" : "\n";
    const found = marks.find((mark) => line.includes(mark));
    return found === undefined ? start + line : html`${start}<mark>${line}</mark>`;
  });
}
