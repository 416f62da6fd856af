import { html } from "lit-html";
import type { Drawn, View } from "./view";

export function signIn({ state, text, session }: View): Drawn {
  return html`<section class="cards">
    <h2>${text.signIn}</h2>
    <ul>
      ${state.users.map(
        (user) => html`<li>
          <button class="card" data-user=${user.uid} @click=${() => void session.signIn(user)}>
            <strong>${user.name}</strong>
            <span>${user.has_played ? text.played : text.notPlayed}</span>
          </button>
        </li>`,
      )}
    </ul>
  </section>`;
}

export function souls({ state, text, session }: View): Drawn {
  return html`<section class="cards">
    <h2>${text.chooseSoul}</h2>
    <ul>
      ${state.soulIds.map((soulId) => {
        const bio = state.bios[soulId];
        return html`<li>
          <button class="card" data-soul=${soulId} @click=${() => session.choose(soulId)}>
            <strong>${bio?.display_name ?? "…"}</strong>
            <span>${bio?.status ?? ""}</span>
          </button>
        </li>`;
      })}
    </ul>
  </section>`;
}
