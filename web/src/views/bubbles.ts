import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { dayOf, timeOf } from "../times";
import type { Message } from "../types";
import { picture } from "./picture";
import type { Drawn, View } from "./view";

interface Row {
  message: Message;
  /** Set on the first message of a day. */
  day: string | null;
  /** Set on the last of a minute's bubbles of one writer. */
  time: string | null;
}

export function bubbles(view: View): Drawn {
  const rows = rowsOf(view);
  return html`${repeat(
    rows,
    (row) => row.message.id,
    (row) => bubble(row, view),
  )}${(view.state.arriving ?? []).map(
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

function rowsOf({ state }: View): Row[] {
  const { messages } = state.chat;
  const { language } = state;
  return messages.map((message, place) => {
    const [before, after] = [messages[place - 1], messages[place + 1]];
    const [day, time] = [dayOf(message.at, language), timeOf(message.at, language)];
    const isNewDay = before === undefined || dayOf(before.at, language) !== day;
    const isLast =
      after === undefined ||
      after.role !== message.role ||
      timeOf(after.at, language) !== time;
    return { message, day: isNewDay ? day : null, time: isLast ? time : null };
  });
}
