import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { rowsOf } from "../rows";
import type { Row } from "../rows";
import { picture } from "./picture";
import type { Drawn, View } from "./view";

export function bubbles(view: View): Drawn {
  const { chat, language, arriving } = view.state;
  return html`${repeat(
    rowsOf(chat.messages, language),
    (row) => row.message.id,
    (row) => bubble(row, view),
  )}${(arriving ?? []).map(
    (text) => html`<div class="row soul"><p class="bubble" dir="auto">${text}</p></div>`,
  )}`;
}

function bubble({ message, day, time }: Row, view: View): Drawn {
  const { state, text } = view;
  const name = state.bios[state.soulId ?? ""]?.display_name ?? "";
  return html`${day === null ? nothing : html`<h3 class="day">${day}</h3>`}
    <div class="row ${message.role}" data-message=${message.id}>
      <span class="hidden">${message.role === "user" ? text.you : name}:</span>
      <p class="bubble" dir="auto">${message.image ? picture(message.image, view) : nothing}${message.text}</p>
      ${message.unsent
        ? html`<span class="time">${text.unsent}</span>`
        : time === null
          ? nothing
          : html`<time class="time" datetime=${message.at.toISOString()}>${time}</time>`}
    </div>`;
}
