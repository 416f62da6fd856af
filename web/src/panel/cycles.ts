import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { momentOf, numberOf } from "../times";
import type { Cycle, Inspection } from "../types";
import type { Drawn, View } from "../views/view";

export function cycles(view: View, found: Inspection): Drawn {
  const { text } = view;
  if (found.cycles.length === 0) return html`<p class="quiet">${text.noCycles}</p>`;
  const newestFirst = [...found.cycles].sort((a, b) => (a.cycle_id < b.cycle_id ? 1 : -1));
  return html`<ol class="timeline" reversed>
    ${repeat(
      newestFirst,
      (cycle) => cycle.cycle_id,
      (cycle) => drawn(cycle, view),
    )}
  </ol>`;
}

function drawn(cycle: Cycle, { text, state }: View): Drawn {
  const { language } = state;
  const number = (value: number) => numberOf(value, language);
  return html`<li data-cycle=${cycle.cycle_id} data-status=${cycle.status}>
    <h3>
      ${text.kinds[cycle.kind] ?? cycle.kind} ${cycle.cycle_id}
      <span class="tag ${cycle.status === "applied" ? "on" : ""}">
        ${text.statuses[cycle.status] ?? cycle.status}
      </span>
    </h3>
    <p class="small">${momentOf(cycle.applied_at ?? cycle.requested_at, language)}</p>
    <ul class="facts">
      ${cycle.consumed
        ? html`<li>${text.cycleMessages(cycle.consumed.count, number(cycle.consumed.tokens))}</li>`
        : nothing}
      ${cycle.episode_play_ids?.length
        ? html`<li>${text.cyclePlays(cycle.episode_play_ids.length)}</li>`
        : nothing}
      ${cycle.lorebook_entries
        ? html`<li>${text.cycleEntries(cycle.lorebook_entries)}</li>`
        : nothing}
      ${spending(cycle, text, number)}
      ${cycle.attempts > 1 ? html`<li>${text.attempts(cycle.attempts)}</li>` : nothing}
      ${cycle.failure
        ? html`<li class="bad">
            ${text.failure}: ${cycle.failure.failure_class}, ${cycle.failure.reason}
          </li>`
        : nothing}
    </ul>
  </li>`;
}

function spending(cycle: Cycle, text: View["text"], number: (value: number) => string): Drawn {
  const { output } = cycle;
  if (!output) return nothing;
  const cost = output.cost_microdollars;
  return html`<li>${text.cycleModel}: ${output.model_answered}, ${number(output.latency_ms)} ms</li>
    <li>
      ${text.cycleTokens(number(output.tokens_in), number(output.tokens_out))} ·
      ${cost == null ? text.noCost : text.cycleCost((cost / 1_000_000).toFixed(6))}
    </li>`;
}
