import { html, nothing } from "lit-html";
import { changes } from "../changes";
import type { Line } from "../changes";
import { momentOf } from "../times";
import type { InspectedSlot, Inspection } from "../types";
import type { Drawn, View } from "../views/view";

const SLOTS = [
  "long_term_memory",
  "soul_relational_persona",
  "user_relational_persona",
  "recent_context",
];

export function slots(view: View, found: Inspection): Drawn {
  return html`<p class="quiet">${view.text.marked}</p>
    ${SLOTS.map((name) => slot(name, found.slots[name], view))}`;
}

function slot(name: string, found: InspectedSlot | undefined, { state, text }: View): Drawn {
  const stored = found?.slot;
  return html`<article data-slot=${name}>
    <h3>${text.slots[name] ?? name}</h3>
    ${stored?.content
      ? html`<p class="small">
            ${text.slotVersion(stored.version, stored.cycle_id)}
            ${stored.updated_at ? `· ${momentOf(stored.updated_at, state.language)}` : nothing}
          </p>
          <div class="lines">
            ${changes(found?.before ?? "", stored.content).map((line) => drawn(line, text))}
          </div>`
      : html`<p class="quiet">${text.slotEmpty}</p>`}
  </article>`;
}

function drawn(line: Line, text: View["text"]): Drawn {
  if (line.change === "added") {
    return html`<ins><span class="hidden">${text.added}: </span>${line.text}</ins>`;
  }
  if (line.change === "removed") {
    return html`<del><span class="hidden">${text.removed}: </span>${line.text}</del>`;
  }
  return html`<span>${line.text}</span>`;
}
