import type { PlacedHunk } from "../match/place-hunks.ts";
import type { LineEnding, TextFile } from "./text-file.ts";

interface Line {
  readonly text: string;
  readonly ending: LineEnding;
}

/**
 * The file with its hunks done. Every line that stays keeps its bytes, the match having been loose or not. An added
 * line ends like the line it replaces, or else like the one before it (the one after it at the very top); whether the
 * file ends with a newline stays as it was, and an empty file gets one.
 */
export function editText(file: TextFile, hunks: readonly PlacedHunk[]): TextFile {
  const removed = new Set<number>();
  const added = new Map<number, Line[]>();
  for (const hunk of hunks) recordEdits(file, hunk, { removed, added });
  const result = file.lines.flatMap((text, index) => {
    const before = added.get(index) ?? [];
    return removed.has(index) ? before : [...before, { text, ending: file.endings[index] ?? "" }];
  });
  return joinLines(file, [...result, ...(added.get(file.lines.length) ?? [])]);
}

interface Edits {
  readonly removed: Set<number>;
  /** By the index of the line that they go before. */
  readonly added: Map<number, Line[]>;
}

function recordEdits(file: TextFile, hunk: PlacedHunk, { removed, added }: Edits): void {
  let index = hunk.start;
  let run = { start: index, added: 0 };
  for (const { mark, text } of hunk.lines) {
    if (mark === "+") {
      const model = Math.max(Math.min(run.start + run.added++, index - 1), 0);
      const lines = added.get(index) ?? [];
      added.set(index, lines);
      lines.push({ text, ending: file.endings[model] ?? "" });
      continue;
    }
    if (mark === "-") removed.add(index);
    index++;
    if (mark === " ") run = { start: index, added: 0 };
  }
}

function joinLines(file: TextFile, lines: readonly Line[]): TextFile {
  const keepsOpenEnd = file.endings.at(-1) === "";
  const usual = usualEnding(file);
  const endings = lines.map(({ ending }, index) => {
    if (keepsOpenEnd && index === lines.length - 1) return "";
    return ending === "" ? usual : ending;
  });
  return { bom: file.bom, lines: lines.map((line) => line.text), endings };
}

function usualEnding({ endings }: TextFile): LineEnding {
  const crlf = endings.filter((ending) => ending === "\r\n").length;
  return crlf * 2 > endings.filter((ending) => ending !== "").length ? "\r\n" : "\n";
}
