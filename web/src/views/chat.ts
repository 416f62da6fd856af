import { html, nothing } from "lit-html";
import { isAtWork } from "../pace";
import { isTyping } from "../state";
import { numberOf } from "../times";
import { bubbles } from "./bubbles";
import { composer } from "./composer";
import type { Drawn, View } from "./view";

export function chat(view: View): Drawn {
  const { state, text, session } = view;
  const bio = state.bios[state.soulId ?? ""];
  return html`<section class="chat" aria-label=${text.chatSide}>
    <header class="who">
      <button class="plain back" aria-label=${text.back} @click=${() => session.leave()}>←</button>
      <div>
        <h2>${bio?.display_name}</h2>
        <p>${bio?.status}</p>
      </div>
      ${memory(view)}
    </header>
    ${state.memoryStatus === null ? closed(view) : opened(view)}
  </section>`;
}

function closed({ text, session }: View): Drawn {
  return html`<div class="closed">
    <p>${text.notOpened}</p>
    <button class="main" @click=${() => void session.chat?.open()}>${text.openThread}</button>
  </div>`;
}

function opened(view: View): Drawn {
  const { state, text, session } = view;
  return html`
    <div class="messages" tabindex="0" role="log" aria-label=${text.conversation}>
      ${state.chat.hasEarlier
        ? html`<button class="plain earlier" @click=${() => session.chat?.showEarlier()}>
            ${text.earlier}
          </button>`
        : nothing}
      ${state.chat.messages.length ? bubbles(view) : html`<p class="quiet">${text.noMessages}</p>`}
      ${typing(view)} ${failure(view)}
    </div>
    ${composer(view)}
  `;
}

/** What the user of a messenger would want to know of the Soul's memory, in a line. */
function memory({ state, text }: View): Drawn {
  if (state.memoryStatus === null) return nothing;
  const { inspection, language } = state;
  const counter = inspection?.counter;
  return html`<div class="memory" role="status" data-status=${state.memoryStatus}>
    <span>${isAtWork(inspection) ? text.working : text.memory[state.memoryStatus]}</span>
    ${inspection
      ? html`<span class="small">
          ${text.generation(inspection.state.generation)} ·
          ${text.pending(
            numberOf(counter?.pending_tokens ?? 0, language),
            numberOf(counter?.pending_messages ?? 0, language),
          )}
        </span>`
      : nothing}
  </div>`;
}

function typing({ state, text }: View): Drawn {
  if (!isTyping(state, new Date())) return nothing;
  const name = state.bios[state.soulId ?? ""]?.display_name;
  return html`<p class="typing">
    <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
    ${name} ${text.typing}
  </p>`;
}

function failure({ state, text, session }: View): Drawn {
  const kind = state.replyFailure;
  if (kind === null) return nothing;
  const again = kind === "retry" ? "same" : "new";
  return html`<p class="failure" role="alert" data-kind=${kind}>
    ${text.failures[kind]}
    <button class="plain" @click=${() => void session.chat?.ask(again)}>${text.retry}</button>
  </p>`;
}
