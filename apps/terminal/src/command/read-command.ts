import type { Submission } from "@unroll/screen";
import type { TerminalCommand } from "./terminal-command.ts";

/** What a person's text is. */
export type ReadText =
  | { readonly type: "command"; readonly command: TerminalCommand; readonly argument: string }
  /** A command that there is not. `nearest`: with its slash; null: nothing is like it. */
  | { readonly type: "unknown"; readonly name: string; readonly nearest: string | null }
  | { readonly type: "message"; readonly text: string };

/**
 * Tells commands from what goes to the model: `/word` that is no path is one. A text that begins with a
 * blank is a message, whatever it is.
 */
export function readText(text: string, commands: readonly TerminalCommand[]): ReadText {
  const [, name = null, argument = ""] = /^\/([\w:.-]+)(?:\s+(.*))?$/s.exec(text.trimEnd()) ?? [];
  if (name === null) return { type: "message", text: text.trim() };
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return { type: "command", command, argument: argument.trim() };
  return { type: "unknown", name: `/${name}`, nearest: findNearest(name, commands) };
}

/** Whether what was typed may run beside a turn: a command that says so, or one that there is not. */
export function runsBeside(
  { text, isShell }: Pick<Submission, "text" | "isShell">,
  commands: readonly TerminalCommand[],
): boolean {
  const read = readText(text, commands);
  return !isShell && (read.type === "unknown" || (read.type === "command" && read.command.timing === "always"));
}

/** As far off as a slip of the fingers. */
const mostEdits = 2;

function findNearest(name: string, commands: readonly TerminalCommand[]): string | null {
  const begun = commands.find((each) => each.name.startsWith(name));
  if (begun !== undefined) return `/${begun.name}`;
  const ranked = commands
    .map((each) => ({ name: each.name, edits: countEdits(name, each.name) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= Math.min(mostEdits, Math.floor(name.length / 2)) ? `/${best.name}` : null;
}

/** Levenshtein's distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, character] of from.split("").entries()) {
    const next = [at + 1];
    for (const [column, other] of to.split("").entries()) {
      const same = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(same, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
