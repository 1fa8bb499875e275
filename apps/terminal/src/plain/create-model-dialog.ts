import type { ModelDialog } from "@unroll/program";
import type { Terminal } from "./terminal.ts";

/** Asks the person at the terminal; leaving a question (^C, ^D) is a no. */
export function createModelDialog(terminal: Terminal, signal: AbortSignal): ModelDialog {
  return {
    async confirm(question) {
      const line = await terminal.ask(`${question} [y/N] `, { signal });
      return /^y(?:es)?$/i.test(line?.trim() ?? "");
    },
    async choose(question, models) {
      terminal.say([question, ...models.map((model, index) => `  ${index + 1}  ${model}`)].join("\n"));
      const line = (await terminal.ask("number or name: ", { signal }))?.trim() ?? "";
      return models[Number(line) - 1] ?? models.find((model) => model === line) ?? null;
    },
    tell: (line) => terminal.say(line),
  };
}
