import { html, nothing } from "lit-html";
import { LANGUAGES } from "../text";
import type { Language } from "../text";
import { panel } from "../panel/panel";
import { chat } from "./chat";
import { signIn, souls } from "./entrance";
import type { Drawn, View } from "./view";

export function page(view: View): Drawn {
  const { state, text } = view;
  const inChat = state.user !== null && state.soulId !== null;
  return html`
    <header class="top ${inChat ? "in-chat" : ""}">
      <h1>${text.title}</h1>
      ${languages(view)}
      ${state.user ? signOut(view) : nothing}
      <p class="note">${text.development}</p>
    </header>
    ${state.online ? nothing : html`<p class="banner" role="status">${text.offline}</p>`}
    ${state.problem ? html`<p class="banner" role="alert">${state.problem}</p>` : nothing}
    ${inChat ? sides(view) : nothing}
    <main class=${inChat ? `both show-${state.side}` : "entrance"}>
      ${state.user === null ? signIn(view) : inChat ? [chat(view), panel(view)] : souls(view)}
    </main>
  `;
}

function languages({ state, text, session }: View): Drawn {
  return html`<div class="languages" role="group" aria-label=${text.language}>
    ${Object.entries(LANGUAGES).map(
      ([language, name]) => html`<button
        class="plain"
        lang=${language}
        aria-pressed=${state.language === language}
        @click=${() => session.speak(language as Language)}
      >
        ${name}
      </button>`,
    )}
  </div>`;
}

function signOut({ state, text, session }: View): Drawn {
  return html`<button class="plain sign-out" @click=${() => void session.signOut()}>
    ${state.user?.name} · ${text.signOut}
  </button>`;
}

/** On a narrow page one side is shown at a time. */
function sides({ state, text, session }: View): Drawn {
  const names = { chat: text.chatSide, soul: text.soulSide };
  return html`<nav class="sides" aria-label=${text.views}>
    ${(["chat", "soul"] as const).map(
      (side) => html`<button
        aria-pressed=${state.side === side}
        @click=${() => session.show({ side })}
      >
        ${names[side]}
      </button>`,
    )}
  </nav>`;
}
