import { openLineTerminal, ProgramError, type ProcessIo } from "@unroll/program";
import { showHidden } from "@unroll/text";

/**
 * Says what would be deleted and asks for a yes. Throws `ProgramError` where nobody is at a terminal: a script says
 * `--force`.
 */
export async function confirmRemoval(list: readonly string[], io: ProcessIo, signal: AbortSignal): Promise<boolean> {
  if (io.stdin.kind !== "terminal" || !io.stderr.isTerminal) {
    throw new ProgramError("usage", "Deleting asks at a terminal, and this is none: say --force. Nothing was deleted.");
  }
  using terminal = openLineTerminal(io);
  for (const line of list) terminal.say(showHidden(line));
  const count = list.length === 1 ? "this thread" : `these ${list.length} threads`;
  const answer = await terminal.askFresh(`Delete ${count} for good? [y/N] `, { signal });
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
