// A conversation as it is read: a line where a day begins, a time where a minute's bubbles end.

import type { Language } from "./text";
import { dayOf, timeOf } from "./times";
import type { Message } from "./types";

export interface Row {
  message: Message;
  /** Set on the first message of a day. */
  day: string | null;
  /** Set on the last of a minute's bubbles of one writer. */
  time: string | null;
}

export function rowsOf(messages: Message[], language: Language): Row[] {
  const rows = messages.map((message) => ({
    message,
    day: dayOf(message.at, language),
    time: timeOf(message.at, language),
  }));
  return rows.map(({ message, day, time }, place) => {
    const after = rows[place + 1];
    const isLast = after?.message.role !== message.role || after.time !== time;
    return { message, day: rows[place - 1]?.day === day ? null : day, time: isLast ? time : null };
  });
}
