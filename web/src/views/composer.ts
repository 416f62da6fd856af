import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { Drawn, View } from "./view";

const MOST_UNITS = 4000; // of a message, by the contract

export function composer(view: View): Drawn {
  const { state, text, session } = view;
  const send = (event: Event) => {
    event.preventDefault();
    session.chat?.send();
  };
  return html`<form class="composer" @submit=${send}>
    <label class="hidden" for="message">${text.messageLabel}</label>
    <textarea
      id="message"
      rows="1"
      maxlength=${MOST_UNITS}
      placeholder=${text.messageHint}
      .value=${live(state.draft)}
      @input=${(event: Event) => session.chat?.type((event.target as HTMLTextAreaElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        // Enter also ends the composing of a Korean syllable, and then sends nothing.
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
      }}
    ></textarea>
    <button class="main" ?disabled=${state.draft.trim() === ""}>${text.send}</button>
    ${more(view)}
  </form>`;
}

function more({ state, text, session }: View): Drawn {
  const last = state.chat.messages.at(-1);
  const { replay } = state;
  return html`<div class="more">
    ${last === undefined
      ? nothing
      : html`<button
          type="button"
          class="plain ask"
          ?disabled=${state.asking || !state.online || replay !== null}
          @click=${() => void session.chat?.ask()}
        >
          ${last.role === "user" ? text.reply : text.again}
        </button>`}
    ${replay === null
      ? html`<button type="button" class="plain replay" @click=${() => void session.chat?.replay()}>
          ${text.replay}
        </button>`
      : html`<span class="replaying">${text.replaying(replay.done, replay.total)}</span>
          <button type="button" class="plain" @click=${() => session.chat?.stopReplay()}>
            ${text.stop}
          </button>`}
  </div>`;
}
