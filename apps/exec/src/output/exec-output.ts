import { createLineWriter, type Interruption, parseReview, type ProcessIo, renderReview } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, type TurnError } from "@unroll/protocol";
import { toShownText } from "@unroll/text";
import { chooseTextStyle, createTextPrinter, type RenderOptions, toJsonLine } from "@unroll/view";
import type { ExecOptions } from "../exec-options.ts";

/** Shows a thread's events to whoever started us. */
interface EventPrinter {
  print(event: ThreadEvent): Promise<void>;
}

/** What the final message is shown as, where it is not JSON that is asked for: as it is, or as the findings of a review. */
type AnswerKind = "shown" | "review";

/** All that a run says, on stdout and stderr. */
export interface ExecOutput {
  /** Shows the thread's events; called once, when it is known where the thread works. */
  openPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">, answer: AnswerKind): EventPrinter;
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
  const complain = ({ message }: TurnError): Promise<void> => stderr.write(`unroll: ${toShownText(message)}\n`);

  async function printJson(event: ThreadEvent): Promise<void> {
    isTerminated ||= event.type === "turn.completed" || event.type === "turn.failed";
    const line = toJsonLine(event);
    if (line !== null) await stdout.write(line);
    if (event.type === "turn.failed") await complain(event.error);
  }

  function openTextPrinter(view: Pick<RenderOptions, "cwd" | "showReasoning">, answer: AnswerKind): EventPrinter {
    const finalMessage = io.stdout.isTerminal ? "plain" : "verbatim";
    const printer = createTextPrinter({ style, finalMessage, questions: "shown", ...view });
    return {
      async print(event) {
        for (const { to, text } of printer.print(event))
          await (to === "answer" ? stdout.write(answer === "review" ? toFindings(text) : text) : stderr.write(text));
      },
    };
  }

  return {
    openPrinter: (view, answer) => (options.json ? { print: printJson } : openTextPrinter(view, answer)),
    notice: (text) => stderr.write(`${style("dim", toShownText(text))}\n`),
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

/** What is no review is shown as it is. */
function toFindings(answer: string): string {
  const review = parseReview(answer);
  return review === null ? answer : `${toShownText(renderReview(review))}\n`;
}
