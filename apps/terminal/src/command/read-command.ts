import type { Submission } from "@unroll/screen";
import type { TerminalCommand } from "./terminal-command.ts";

/** The meaning of a typed text. */
export type ReadText =
  | { readonly type: "command"; readonly command: TerminalCommand; readonly argument: string }
  /** An unknown command. `nearest`: the closest one, with its slash; null: none is close. */
  | { readonly type: "unknown"; readonly name: string; readonly nearest: string | null }
  | { readonly type: "message"; readonly text: string };

/**
 * Tells commands from messages: `/word` is a command unless it is a path. A text that starts with a blank is always a message.
 */
export function readText(text: string, commands: readonly TerminalCommand[]): ReadText {
  const [, name = null, argument = ""] = /^\/([\w:.-]+)(?:\s+(.*))?$/s.exec(text.trimEnd()) ?? [];
  if (name === null) return { type: "message", text: text.trim() };
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return { type: "command", command, argument: argument.trim() };
  return { type: "unknown", name: `/${name}`, nearest: findNearest(name, commands) };
}

/** Whether a typed text may run during a turn: a command that allows it, or an unknown one. */
export function runsBeside(
  { text, isShell }: Pick<Submission, "text" | "isShell">,
  commands: readonly TerminalCommand[],
): boolean {
  const read = readText(text, commands);
  return !isShell && (read.type === "unknown" || (read.type === "command" && read.command.timing === "always"));
}

/** The text for the model, without the blank that marks it as a message. */
export function toMessageText(text: string): string {
  return text.replace(/^\s(?=[/!])/, "");
}

/** As many as a typo has. */
const mostEdits = 2;

function findNearest(name: string, commands: readonly TerminalCommand[]): string | null {
  const completed = commands.find((each) => each.name.startsWith(name) || each.name.endsWith(`:${name}`));
  if (completed !== undefined) return `/${completed.name}`;
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
