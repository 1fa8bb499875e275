import { isPowerfulVariable } from "../command/variable-power.ts";
import type { SimpleCommand } from "../command/simple-command.ts";

const harmlessFiles: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/**
 * Why the words of a command alone cannot allow it, as a clause that follows "it": it writes a
 * file, talks to the network through a redirection, sets a powerful variable, or names no program.
 * Null: they can.
 */
export function findReservation(command: SimpleCommand): string | null {
  // Variables set for one command count against the rules that cover it, and against its known
  // reads.
  const variable = command.words.length === 0 ? command.assignments.find(isPowerfulVariable) : undefined;
  if (variable !== undefined) return `sets ${variable}, which changes what commands do`;
  for (const { type, target } of command.redirects) {
    if (type === "write" && !(target.kind === "static" && harmlessFiles.has(target.text))) {
      return `writes to ${target.text}`;
    }
    if (target.kind !== "static" || /^\/dev\/(?:tcp|udp)\//.test(target.text)) return `reads from ${target.text}`;
  }
  const [program] = command.words;
  if (program !== undefined && program.kind !== "static") return `runs ${program.text}, which is only known then`;
  return null;
}
