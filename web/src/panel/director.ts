import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { Studio } from "../types";
import type { Drawn, View } from "../views/view";

export function director(view: View): Drawn {
  const { state, text, session } = view;
  const { draft, saved, saving } = state.director;
  if (draft === null || saved === null) return html`<p class="quiet">${text.loading}</p>`;
  const isChanged = (Object.keys(draft) as (keyof Studio)[]).some(
    (field) => draft[field] !== saved[field],
  );
  const save = (event: Event) => {
    event.preventDefault();
    void session.save();
  };
  return html`<form class="director" @submit=${save}>
    <p class="quiet">${text.director.intro}</p>
    ${line("display_name", draft, view)} ${line("status", draft, view)}
    ${block("persona", 14, draft, view)} ${block("situation", 6, draft, view)}
    <p class="small">${text.director.situationNote}</p>
    <button class="main" ?disabled=${!isChanged || saving}>
      ${saving ? text.director.saving : text.director.save}
    </button>
    <p role="status" class="arrival">${arrival(view)}</p>
  </form>`;
}

function line(field: "display_name" | "status", draft: Studio, { text, session }: View): Drawn {
  return html`<label for=${field}>${text.director[field]}</label>
    <input
      id=${field}
      .value=${live(draft[field])}
      @input=${(event: Event) => session.edit({ [field]: (event.target as HTMLInputElement).value })}
    />`;
}

function block(
  field: "persona" | "situation",
  rows: number,
  draft: Studio,
  { text, session }: View,
): Drawn {
  return html`<label for=${field}>${text.director[field]}</label>
    <textarea
      id=${field}
      rows=${rows}
      .value=${live(draft[field])}
      @input=${(event: Event) =>
        session.edit({ [field]: (event.target as HTMLTextAreaElement).value })}
    ></textarea>`;
}

function arrival({ state, text, session }: View): Drawn {
  const { arrived } = state.director;
  if (arrived === "unknown" || state.memoryStatus === null) return nothing;
  return html`${arrived === "yes" ? text.director.arrived : text.director.waiting}
    <button type="button" class="plain" @click=${() => session.showTab("prompt")}>
      ${text.director.see}
    </button>`;
}
