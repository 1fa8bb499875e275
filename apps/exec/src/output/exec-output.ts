import { createLineWriter, foldOutput, type Interruption, type ProcessIo } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, type TurnError } from "@unroll/protocol";
import { toShownText } from "@unroll/text";
import { chooseTextStyle, createTextPrinter, type RenderOptions, toJsonLine } from "@unroll/view";
import type { ExecOptions } from "../exec-options.ts";

/** Shows a thread's events to whoever started us. */
interface EventPrinter {
  print(event: ThreadEvent): Promise<void>;
}

/** All that a run says, on stdout and stderr. */
export interface ExecOutput {
  /** Shows the thread's events; called once, when it is known where the thread works. */
  openPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">): EventPrinter;
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
  const style = chooseTextStyle(options.color ?? "auto", {
    isTerminal: io.stderr.isTerminal,
    noColor: io.env["NO_COLOR"] ?? null,
  });
  let isTerminated = false;

  /** Servers have a say in what an error says. */
  const complain = ({ message }: TurnError): Promise<void> =>
    stderr.write(`${foldOutput(`unroll: ${toShownText(message)}`, io.stderr)}\n`);

  async function printJson(event: ThreadEvent): Promise<void> {
    isTerminated ||= event.type === "turn.completed" || event.type === "turn.failed";
    const line = toJsonLine(event);
    if (line !== null) await stdout.write(line);
    if (event.type === "turn.failed") await complain(event.error);
  }

  function openTextPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">): EventPrinter {
    const columns = (): number | null => (io.stderr.isTerminal ? (io.stderr.size()?.columns ?? null) : null);
    const finalMessage = io.stdout.isTerminal ? "plain" : "verbatim";
    const printer = createTextPrinter({ style, finalMessage, questions: "shown", columns, ...view });
    return {
      async print(event) {
        for (const { to, text } of printer.print(event)) await (to === "answer" ? stdout : stderr).write(text);
      },
    };
  }

  return {
    openPrinter: (view) => (options.json ? { print: printJson } : openTextPrinter(view)),
    notice: (text) => stderr.write(`${foldOutput(style("dim", toShownText(text)), io.stderr)}\n`),
    async fail(error) {
      if (options.json && !isTerminated) await printJson({ type: "turn.failed", error, usage: noTokenUsage });
      else await complain(error);
    },
    async flush() {
      await stdout.flush();
      await stderr.flush();
    },
  };
}
