// Where a drawn page is scrolled to. A reader at the end of the conversation stays there; one who
// has scrolled up keeps the place, also when earlier messages come in above it.

const NEAR_PX = 80;
let mustEnd = true;

/** What is drawn next is shown from its end: a chat just opened, a message just written. */
export function toEnd(): void {
  mustEnd = true;
}

/** A tab is read from its top. */
export function toTop(): void {
  document.querySelector(".body")?.scrollTo(0, 0);
}

/** Call before drawing; call what it answers after. */
export function keepPlace(): () => void {
  const before = document.querySelector(".messages");
  const height = before?.scrollHeight ?? 0;
  const place = before?.scrollTop ?? 0;
  const first = firstMessage(before);
  const isAtEnd = before !== null && height - place - before.clientHeight < NEAR_PX;
  return () => {
    const after = document.querySelector(".messages");
    if (after === null) return;
    if (before === null || isAtEnd || mustEnd) after.scrollTop = after.scrollHeight;
    else if (firstMessage(after) !== first) after.scrollTop = place + after.scrollHeight - height;
    mustEnd = false;
  };
}

function firstMessage(messages: Element | null): string | null {
  return messages?.querySelector("[data-message]")?.getAttribute("data-message") ?? null;
}
