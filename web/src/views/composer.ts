import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { PICTURE_TYPES } from "../pictures";
import { canSend } from "../state";
import { attached } from "./picture";
import type { Drawn, View } from "./view";

const MOST_UNITS = 4000; // of a message, by the contract

export function composer(view: View): Drawn {
  const { state, text, session } = view;
  const send = (event: Event) => {
    event.preventDefault();
    void session.chat?.send();
  };
  return html`<form class="composer" @submit=${send}>
    ${attached(view)}
    <label class="hidden" for="message">${text.messageLabel}</label>
    <textarea
      id="message"
      rows="1"
      maxlength=${MOST_UNITS}
      placeholder=${text.messageHint}
      ?readonly=${state.attachment?.status === "uploading"}
      .value=${live(state.draft)}
      @input=${(event: Event) => session.chat?.type((event.target as HTMLTextAreaElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        // Enter also ends the composing of a Korean syllable, and then sends nothing.
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
      }}
    ></textarea>
    <button class="main" ?disabled=${!canSend(state)}>${text.send}</button>
    ${more(view)}
  </form>`;
}

function attach({ text, session }: View): Drawn {
  const album = session.chat?.album;
  if (!album) return nothing;
  const choose = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) album.attach(file);
    input.value = ""; // so that the same file can be chosen again
  };
  return html`<span>
    <input id="image" class="hidden" type="file" accept=${PICTURE_TYPES.join()} @change=${choose} />
    <label for="image" class="plain">${text.attach}</label>
  </span>`;
}

function more(view: View): Drawn {
  const { state, text, session } = view;
  const last = state.chat.messages.at(-1);
  const { replay } = state;
  return html`<div class="more">
    ${attach(view)}
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
