import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { entryId } from "../types";
import type { Entry, Inspection } from "../types";
import type { Drawn, View } from "../views/view";

export function lorebook(view: View, found: Inspection): Drawn {
  const { text } = view;
  if (found.lorebook.length === 0) return html`<p class="quiet">${text.noEntries}</p>`;
  const inPrompt = new Set(found.prompt?.lorebook_entry_ids);
  const newestFirst = [...found.lorebook].sort((a, b) => (entryId(a) < entryId(b) ? 1 : -1));
  return html`<p class="quiet">${text.entries(newestFirst.length)}</p>
    ${repeat(newestFirst, entryId, (one) => entry(one, inPrompt.has(entryId(one)), text))}`;
}

function entry(one: Entry, isInPrompt: boolean, text: View["text"]): Drawn {
  return html`<article data-entry=${entryId(one)}>
    <h3>${one.title} ${isInPrompt ? html`<span class="tag on">${text.inPrompt}</span>` : nothing}</h3>
    <p class="small">
      <span class="hidden">${text.when}: </span>${one.occurred_at} · ${one.kind ?? "–"} ·
      ${text.importance(one.importance)} · ${one.secrecy} · ${entryId(one)}
    </p>
    <p class="record">${one.record}</p>
    <ul class="tags" aria-label=${text.keywords}>
      ${one.keywords.map((keyword) => html`<li class="tag">${keyword}</li>`)}
    </ul>
  </article>`;
}
