import type { ThreadEvent, TurnError } from "@unroll/protocol";
import type { ExecOptions } from "../exec-options.ts";
import type { ProcessIo } from "../process-io.ts";
import type { EventPrinter } from "./event-printer.ts";
import { createJsonPrinter } from "./json-printer.ts";
import { createLineWriter } from "./line-writer.ts";
import type { ItemView } from "./render-item.ts";
import { createTextPrinter } from "./text-printer.ts";
import { createTextStyle } from "./text-style.ts";

/** All that a run says, on stdout and stderr. */
export interface ExecOutput {
  /** Shows the thread's events; called once, when it is known where the thread works. */
  openPrinter(view: Pick<ItemView, "cwd" | "showReasoning">): EventPrinter;
  /** For a person, on stderr. */
  notice(text: string): Promise<void>;
  /** Why the run ended before its turn could: a sentence on stderr and, with `--json`, the one terminal event. */
  fail(error: TurnError): Promise<void>;
  flush(): Promise<void>;
}

const noUsage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
};

/** `onGone` is called when nobody reads stdout any more. */
export function createExecOutput(options: ExecOptions, io: ProcessIo, onGone: () => void): ExecOutput {
  const stdout = createLineWriter(io.stdout.stream, onGone);
  const stderr = createLineWriter(io.stderr.stream, () => {});
  const style = createTextStyle(options.color ?? "auto", io.stderr.isTerminal, io.env["NO_COLOR"]);
  const json = createJsonPrinter(stdout);
  let isTerminated = false;

  async function printJson(event: ThreadEvent): Promise<void> {
    isTerminated ||= event.type === "turn.completed" || event.type === "turn.failed";
    await json.print(event);
    if (event.type === "turn.failed") await stderr.write(`unroll: ${event.error.message}\n`);
  }

  return {
    openPrinter: (view) =>
      options.json ? { print: printJson } : createTextPrinter({ stdout, stderr, style, ...view }),
    notice: (text) => stderr.write(`${style("dim", text)}\n`),
    async fail(error) {
      if (options.json && !isTerminated) await printJson({ type: "turn.failed", error, usage: noUsage });
      else await stderr.write(`unroll: ${error.message}\n`);
    },
    async flush() {
      await stdout.flush();
      await stderr.flush();
    },
  };
}
