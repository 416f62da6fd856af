// What a message may say.

// As in firestore.rules: what a font draws as nothing is no text.
const BLANK =
  /^[\p{Z}\p{Cc}\p{Cf}\u{034F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FE00}-\u{FE0F}\u{FFA0}]*$/u;

/** A draft as it is sent; empty where nobody could see anything of it. */
export function sayable(draft: string): string {
  return BLANK.test(draft) ? "" : draft.trim();
}
