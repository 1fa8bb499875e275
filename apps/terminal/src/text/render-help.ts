import { measureText, type StyledLine } from "@unroll/screen";
import { showHidden } from "@unroll/text";

/** A key or a command, and what it does. */
export interface HelpEntry {
  readonly name: string;
  readonly description: string;
}

/** A wider name has a line of its own. In cells. */
const widestName = 30;
/** The narrowest column for descriptions, in cells: if less is left, they go below the names. */
const leastWords = 30;

/** Names with what they do beside them, or below where there is no room. */
export function renderHelp(entries: readonly HelpEntry[], columns: number): readonly StyledLine[] {
  const names = entries.map(({ name }) => measureText(name)).filter((width) => width <= widestName);
  const indent = columns - Math.max(0, ...names) - 2 < leastWords ? 4 : Math.max(0, ...names) + 2;
  return entries.flatMap((entry) => renderEntry(entry, indent));
}

function renderEntry({ name, description }: HelpEntry, indent: number): readonly StyledLine[] {
  const [left, right] = [{ text: showHidden(name), roles: ["accent"] as const }, { text: showHidden(description) }];
  const hanging = [{ text: " ".repeat(indent) }];
  const room = indent - measureText(left.text);
  if (room < 2)
    return [
      { spans: [left], wrap: "words" },
      { spans: [...hanging, right], wrap: "words", hanging },
    ];
  return [{ spans: [left, { text: " ".repeat(room) }, right], wrap: "words", hanging }];
}
