import { html, nothing } from "lit-html";
import { entryId } from "../types";
import type { Considered, Inspection } from "../types";
import type { Drawn, View } from "../views/view";
import { which } from "./prompt";

// The product's order of lanes, in which it sends their values.
const LANES = [
  "keyword",
  "lexical",
  "near",
  "far",
  "hashed",
  "semantic",
  "people",
  "importance",
  "recency",
];
const IN = new Set(["chosen", "related"]);

export function recall(view: View, found: Inspection): Drawn {
  const { text } = view;
  const sent = found.prompt;
  if (sent === null) return html`<p class="quiet">${text.noPrompt}</p>`;
  const { recall_turn: turn, semantic_lane: lane } = sent;
  const considered = sent.recall ?? [];
  const titles = new Map(found.lorebook.map((entry) => [entryId(entry), entry.title]));
  return html`${which(sent, text)}
    <p class="quiet">${considered.length ? text.recallIntro : text.recallNone}</p>
    ${turn ? html`<blockquote class="turn" dir="auto">${turn}</blockquote>` : nothing}
    ${lane ? html`<p class="small">${text.semantic(lane)}</p>` : nothing}
    <ol class="considered">
      ${considered.map((one) => candidate(one, titles.get(one.entry_id) ?? one.entry_id, text))}
    </ol>`;
}

function candidate(one: Considered, title: string, text: View["text"]): Drawn {
  const isIn = IN.has(one.outcome);
  return html`<li data-entry=${one.entry_id} data-outcome=${one.outcome}>
    <h3>
      <span class="tag ${isIn ? "on" : ""}">${isIn ? text.isIn : text.isOut}</span>
      ${title}
    </h3>
    <p class="small">
      ${text.score} <b>${one.score.toFixed(3)}</b> · ${text.outcomes[one.outcome] ?? one.outcome}
    </p>
    <ul class="lanes" aria-label=${text.lanes}>
      ${lanesOf(one)
        .filter(([, value]) => value > 0)
        .map(
          ([name, value]) => html`<li>
            <span>${text.lane[name] ?? name}</span>
            <span class="meter" aria-hidden="true"><i style="width: ${100 * Math.min(value, 1)}%"></i></span>
            <span>${value.toFixed(2)}</span>
          </li>`,
        )}
    </ul>
  </li>`;
}

function lanesOf(one: Considered): [string, number][] {
  if (Array.isArray(one.lanes)) {
    return one.lanes.map((value, place) => [LANES[place] ?? String(place), value]);
  }
  return Object.entries(one.lanes);
}
