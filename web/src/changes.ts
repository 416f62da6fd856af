// What changed between two texts, line by line: the longest common sequence of lines stays. Lines
// that read the same are the same, however their syllables are stored.

export interface Line {
  text: string;
  change: "same" | "added" | "removed";
}

export function changes(before: string, after: string): Line[] {
  const old = linesOf(before);
  const now = linesOf(after);
  const common = commonLengths(old, now);
  const lines: Line[] = [];
  let [o, n] = [0, 0];
  while (o < old.length || n < now.length) {
    const [was, is] = [old[o], now[n]];
    if (was !== undefined && was === is) {
      lines.push({ text: was, change: "same" });
      o += 1;
      n += 1;
    } else if (is === undefined || (was !== undefined && at(common, o + 1, n) >= at(common, o, n + 1))) {
      lines.push({ text: was ?? "", change: "removed" });
      o += 1;
    } else {
      lines.push({ text: is, change: "added" });
      n += 1;
    }
  }
  return lines;
}

/** How many lines the two have in common from (row, column) on. */
function commonLengths(old: string[], now: string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () =>
    new Array<number>(now.length + 1).fill(0),
  );
  for (let o = old.length - 1; o >= 0; o -= 1) {
    for (let n = now.length - 1; n >= 0; n -= 1) {
      const row = lengths[o];
      if (row === undefined) continue;
      row[n] =
        old[o] === now[n]
          ? 1 + at(lengths, o + 1, n + 1)
          : Math.max(at(lengths, o + 1, n), at(lengths, o, n + 1));
    }
  }
  return lengths;
}

function at(lengths: number[][], row: number, column: number): number {
  return lengths[row]?.[column] ?? 0;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.normalize("NFC").split("\n");
}
