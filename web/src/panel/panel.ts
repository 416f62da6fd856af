import { html, nothing } from "lit-html";
import { TABS } from "../state";
import type { Tab } from "../state";
import type { Inspection } from "../types";
import type { Drawn, View } from "../views/view";
import { cycles } from "./cycles";
import { director } from "./director";
import { lorebook } from "./lorebook";
import { prompt } from "./prompt";
import { recall } from "./recall";
import { slots } from "./slots";

const BODIES: Record<Exclude<Tab, "director">, (view: View, found: Inspection) => Drawn> = {
  slots,
  lorebook,
  prompt,
  recall,
  cycles,
};

export function panel(view: View): Drawn {
  const { state, text } = view;
  return html`<section class="panel" aria-label=${text.panelLabel}>
    <div class="tabs" role="tablist" aria-label=${text.panelLabel} @keydown=${turn(view)}>
      ${TABS.map((tab) => tabButton(tab, view))}
    </div>
    <div
      class="body"
      role="tabpanel"
      id="body"
      tabindex="0"
      aria-labelledby="tab-${state.tab}"
      data-tab=${state.tab}
    >
      ${body(view)}
    </div>
  </section>`;
}

function body(view: View): Drawn {
  const { state, text } = view;
  if (state.tab === "director") return director(view);
  if (state.memoryStatus === null) return html`<p class="quiet">${text.nothingYet}</p>`;
  const { inspection, inspectionProblem: problem } = state;
  const isBroken = problem !== null && state.online;
  return html`${isBroken ? html`<p class="bad" role="alert">${text.notSeen} ${problem}</p>` : nothing}
  ${inspection === null
    ? html`<p class="quiet">${text.loading}</p>`
    : BODIES[state.tab](view, inspection)}`;
}

function tabButton(tab: Tab, { state, text, session }: View): Drawn {
  const isShown = state.tab === tab;
  return html`<button
    role="tab"
    id="tab-${tab}"
    aria-controls="body"
    aria-selected=${isShown}
    tabindex=${isShown ? 0 : -1}
    @click=${() => session.showTab(tab)}
  >
    ${text.tabs[tab]}
  </button>`;
}

/** Arrow keys, Home and End move between tabs, as in any list of tabs. */
function turn({ state, session }: View): (event: KeyboardEvent) => void {
  return (event) => {
    const place = TABS.indexOf(state.tab);
    const places: Record<string, number> = {
      ArrowRight: (place + 1) % TABS.length,
      ArrowLeft: (place - 1 + TABS.length) % TABS.length,
      Home: 0,
      End: TABS.length - 1,
    };
    const tab = TABS[places[event.key] ?? -1];
    if (tab === undefined) return;
    event.preventDefault();
    session.showTab(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  };
}
