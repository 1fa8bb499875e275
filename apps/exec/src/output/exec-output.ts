import { noTokenUsage, type ThreadEvent, type TurnError } from "@unroll/protocol";
import type { ExecOptions } from "../exec-options.ts";
import type { ProcessIo } from "../process-io.ts";
import type { Interruption } from "../watch-interruption.ts";
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

/** A stdout that breaks stops the run; what breaks stderr is nobody's loss. */
export function createExecOutput(options: ExecOptions, io: ProcessIo, interruption: Interruption): ExecOutput {
  const stopped = interruption.signal;
  const stderr = createLineWriter(io.stderr.stream, { stopped, onBroken: () => {} });
  const stdout = createLineWriter(io.stdout.stream, { stopped, onBroken: (error) => interruption.outputBroken(error) });
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
      options.json
        ? { print: printJson }
        : createTextPrinter({ stdout, stderr, style, isTerminal: io.stdout.isTerminal, ...view }),
    notice: (text) => stderr.write(`${style("dim", text)}\n`),
    async fail(error) {
      if (options.json && !isTerminated) await printJson({ type: "turn.failed", error, usage: noTokenUsage });
      else await stderr.write(`unroll: ${error.message}\n`);
    },
    async flush() {
      await stdout.flush();
      await stderr.flush();
    },
  };
}
