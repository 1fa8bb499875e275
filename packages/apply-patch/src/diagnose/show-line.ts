import { showHidden, sliceWhole } from "@unroll/text";

const width = 160;

/** A piece of text for a message: on one line, control characters spelled out, cut when long. */
export function clip(text: string, from = 0): string {
  const start = Math.max(0, Math.min(from - 40, text.length - width));
  const piece = sliceWhole(text, start, start + width);
  return `${start > 0 ? "…" : ""}${spellHidden(piece)}${start + width < text.length ? "…" : ""}`;
}

/** A tab stays, as it is what the model has to write. */
function spellHidden(text: string): string {
  return showHidden(text).replaceAll("\n", spellCharacter);
}

function spellCharacter(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Two lines that differ, one under the other, cut around the first difference; blanks made visible if only they differ.
 */
export function showDifference(expected: string, found: string): string {
  const bare = (text: string) => text.replace(/\s+/g, "");
  const onlyBlanks = bare(expected) === bare(found);
  const show = (text: string) => (onlyBlanks ? showBlanks(text) : text);
  const column = sharedStart(expected, found);
  const note = onlyBlanks ? " (they differ in whitespace only: · is a space, → a tab)" : "";
  return `  expected | ${clip(show(expected), column)}\n  the file | ${clip(show(found), column)}${note}`;
}

function showBlanks(text: string): string {
  return text.replaceAll(" ", "·").replaceAll("\t", "→").replace(/\s/g, spellCharacter);
}

/** How many characters two lines have in common at their start. */
export function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** The lines around `index` with their numbers, that line marked. */
export function showExcerpt(lines: readonly string[], index: number): string {
  const first = Math.max(0, index - 4);
  const shown = lines.slice(first, index + 5);
  const digits = String(first + shown.length).length;
  return shown
    .map((line, offset) => {
      const mark = first + offset === index ? ">" : " ";
      return `${mark} ${String(first + offset + 1).padStart(digits)} | ${clip(line)}`;
    })
    .join("\n");
}
