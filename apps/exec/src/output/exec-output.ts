import type { Writable } from "node:stream";
import { createLineWriter, foldOutput, type Interruption, type LineWriter, type ProcessIo } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, type TurnError } from "@unroll/protocol";
import { toShownText } from "@unroll/text";
import {
  chooseTextStyle,
  createTextPrinter,
  type RenderOptions,
  type TextPrinterOptions,
  toJsonLine,
} from "@unroll/view";
import type { ExecOptions } from "../exec-options.ts";
import { createLiveWriter, type LiveWriter } from "./live-writer.ts";
import { toSdkEvent } from "./to-sdk-event.ts";

/** Shows a thread's events to the user or program that started us. */
interface EventPrinter {
  print(event: ThreadEvent): Promise<void>;
}

/** How the final message is printed, where JSON is not asked for. */
type ToAnswer = (text: string) => string;

/** All that a run says, on stdout and stderr. */
export interface ExecOutput {
  /** Shows the thread's events; called once, when it is known where the thread works. */
  openPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">, toAnswer: ToAnswer): EventPrinter;
  /** A line of JSON on stdout, between those of the events. */
  line(text: string): Promise<void>;
  /** For the user, on stderr; not if only faults are shown. */
  notice(text: string): Promise<void>;
  /** An error, for the user, on stderr. */
  complain(text: string): Promise<void>;
  /** Events also go there, one a line. Called at most once, before any. */
  alsoTell(stream: Writable): void;
  /** Why the run ended before its turn could: a sentence on stderr and, with `--json`, the one terminal event. */
  fail(error: TurnError): Promise<void>;
  flush(): Promise<void>;
}

/** A stdout that breaks stops the run; what breaks stderr is nobody's loss. */
export function createExecOutput(options: ExecOptions, io: ProcessIo, interruption: Interruption): ExecOutput {
  const stopped = interruption.signal;
  const stdout = createLineWriter(io.stdout.stream, { stopped, onBroken: (error) => interruption.outputBroken(error) });
  const { stderr, style } = openProgress(options, io, stopped);
  let events: LineWriter | null = null;
  let isTerminated = false;

  /** Servers have a say in what an error says. */
  const complain = (message: string): Promise<void> =>
    stderr.write(`${foldOutput(`unroll: ${toShownText(message)}`, io.stderr)}\n`);

  async function record(event: ThreadEvent): Promise<void> {
    isTerminated ||= event.type === "turn.completed" || event.type === "turn.failed";
    const shown = options.experimentalJson ? toSdkEvent(event) : event;
    if (options.json && shown !== null) await writeEvent(stdout, shown);
    if (events !== null) await writeEvent(events, event);
  }

  async function printJson(event: ThreadEvent): Promise<void> {
    await record(event);
    if (event.type === "turn.failed") await complain(event.error.message);
  }

  function openTextPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">, toAnswer: ToAnswer): EventPrinter {
    const printer = createTextPrinter({ ...toPrinterOptions(io), style, ...view });
    return {
      async print(event) {
        await record(event);
        const isFault = event.type === "turn.failed";
        for (const { to, text } of printer.print(event)) {
          if (!options.quiet || isFault || to === "answer") await stderr.write(to === "answer" ? "" : text);
          if (to === "answer") await stdout.write(toAnswer(text));
        }
        stderr.see(event);
      },
    };
  }

  return {
    openPrinter: (view, toAnswer) => (options.json ? { print: printJson } : openTextPrinter(view, toAnswer)),
    line: (text) => stdout.write(text),
    async notice(text) {
      if (!options.quiet) await stderr.write(`${foldOutput(style("dim", toShownText(text)), io.stderr)}\n`);
    },
    complain,
    alsoTell(stream) {
      events = createLineWriter(stream, { stopped, onBroken: () => {} });
    },
    async fail(error) {
      if (!isTerminated) await record({ type: "turn.failed", error, usage: noTokenUsage });
      await complain(error.message);
    },
    async flush() {
      await events?.flush();
      await stdout.flush();
      await stderr.flush();
    },
  };
}

/** Where progress goes, and how it looks. */
function openProgress(
  { color, json, quiet }: ExecOptions,
  io: ProcessIo,
  stopped: AbortSignal,
): { readonly stderr: LiveWriter; readonly style: RenderOptions["style"] } {
  const { stream, isTerminal } = io.stderr;
  const style = chooseTextStyle(color ?? "auto", { isTerminal, env: io.env });
  const lines = createLineWriter(stream, { stopped, onBroken: () => {} });
  const isLive = isTerminal && !json && !quiet && io.env["TERM"] !== "dumb";
  return { style, stderr: isLive ? createLiveWriter(lines, io, style) : { ...lines, see: () => {} } };
}

async function writeEvent(writer: LineWriter, event: ThreadEvent): Promise<void> {
  const line = toJsonLine(event);
  if (line !== null) await writer.write(line);
}

function toPrinterOptions({ stdout, stderr }: ProcessIo): Omit<TextPrinterOptions, "cwd" | "showReasoning" | "style"> {
  return {
    finalMessage: stdout.isTerminal ? "plain" : "verbatim",
    questions: "shown",
    failureMark: "unroll:",
    columns: () => (stderr.isTerminal ? (stderr.size()?.columns ?? null) : null),
  };
}
