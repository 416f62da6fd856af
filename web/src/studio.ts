// The director's edit: kept as a draft, saved as Studio saves, looked for in the next prompt.

import type { Firestore } from "firebase/firestore";
import { readStudio, writeStudio } from "./documents";
import type { State, Store } from "./state";
import type { Prompt, Studio } from "./types";

export async function loadStudio(store: Store, db: Firestore, soulId: string): Promise<void> {
  const saved = await readStudio(db, soulId);
  if (store.state.soulId !== soulId) return;
  store.set({ director: { ...store.state.director, saved, draft: saved } });
}

export function editStudio(store: Store, change: Partial<Studio>): void {
  const { director } = store.state;
  if (director.draft === null) return;
  store.set({ director: { ...director, draft: { ...director.draft, ...change } } });
}

export async function saveStudio(store: Store, db: Firestore, soulId: string): Promise<void> {
  const { saved, draft } = store.state.director;
  if (saved === null || draft === null) return;
  store.set({ director: { ...store.state.director, saving: true } });
  try {
    await writeStudio(db, soulId, draft);
    const marks = changedLines(saved, draft);
    store.set({ director: { saved: draft, draft, saving: false, arrived: "waiting", marks } });
  } catch (error) {
    store.set({
      problem: (error as Error).message,
      director: { ...store.state.director, saving: false },
    });
  }
}

/** The lines of an edit that must turn up in a prompt. */
export function changedLines(before: Studio, after: Studio): string[] {
  return (Object.keys(after) as (keyof Studio)[]).flatMap((field) => {
    const old = new Set(linesOf(before[field]));
    return linesOf(after[field]).filter((line) => line !== "" && !old.has(line));
  });
}

function linesOf(text: string): string[] {
  return text
    .normalize("NFC")
    .split("\n")
    .map((line) => line.trim());
}

/** The state with the director told whether every changed line stands in the new prompt. */
export function marksArrived(state: State): State {
  const { director, inspection } = state;
  if (director.arrived !== "waiting" || !inspection?.prompt) return state;
  const text = textOfPrompt(inspection.prompt);
  // An initial situation gives way to the recent context: then there is nothing to look for.
  const situation = inspection.slots["recent_context"]?.slot?.content
    ? new Set(linesOf(director.saved?.situation ?? ""))
    : new Set<string>();
  const isThere = director.marks.every((line) => situation.has(line) || text.includes(line));
  return isThere ? { ...state, director: { ...director, arrived: "yes" } } : state;
}

function textOfPrompt(prompt: Prompt): string {
  const parts = prompt.contents.flatMap((one) => one.parts.map((part) => ("text" in part ? part.text : "")));
  return [prompt.system_instruction, ...parts].join("\n").normalize("NFC");
}
