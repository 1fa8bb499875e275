import type { PullDialog } from "@unroll/program";
import type { Terminal } from "./terminal.ts";

/** Asks the person at the terminal; leaving the question (^C, ^D) is a no. */
export function createPullDialog(terminal: Terminal, signal: AbortSignal): PullDialog {
  return {
    async confirm(question) {
      const line = await terminal.ask(`${question} [y/N] `, { signal });
      return /^y(?:es)?$/i.test(line?.trim() ?? "");
    },
    tell: (line) => terminal.say(line),
  };
}
