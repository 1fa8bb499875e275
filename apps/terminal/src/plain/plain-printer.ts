import type { ProcessIo } from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import { chooseTextStyle, type ColorMode, createTextPrinter, plainStyle } from "@unroll/view";
import type { ReasoningView } from "../command/terminal-command.ts";
import type { DrivenThread } from "../driver.ts";

/** A thread as text that is written once. */
export interface PlainPrinter {
  /** Another thread. */
  begin(thread: DrivenThread): void;
  /** The text that an event adds. */
  print(event: ThreadEvent): string;
  showReasoning(view: ReasoningView): void;
  /** Whether colours are used, where they are wanted at all. */
  setColored(isColored: boolean): void;
}

export interface PlainPrinterOptions {
  readonly io: Pick<ProcessIo, "stderr" | "env">;
  readonly color: ColorMode;
  /** How wide notices may be, in cells; null: as they are. */
  readonly columns: () => number | null;
}

export function createPlainPrinter({ io, color, columns }: PlainPrinterOptions): PlainPrinter {
  const wanted = chooseTextStyle(color, { isTerminal: io.stderr.isTerminal, env: io.env });
  let style = wanted;
  let reasoning: ReasoningView | null = null;
  let printer = create({ cwd: "", hidesReasoning: false });

  function create({ cwd, hidesReasoning }: DrivenThread): ReturnType<typeof createTextPrinter> {
    return createTextPrinter({
      finalMessage: "progress",
      questions: "elsewhere",
      columns,
      style: (look, text) => style(look, text),
      cwd,
      get showReasoning() {
        return reasoning === null ? !hidesReasoning : reasoning !== "hidden";
      },
    });
  }

  return {
    begin: (thread) => void (printer = create(thread)),
    print: (event) =>
      printer
        .print(reasoning === "folded" ? foldReasoning(event) : event)
        .map(({ text }) => text)
        .join(""),
    showReasoning: (view) => void (reasoning = view),
    setColored: (isColored) => void (style = isColored ? wanted : plainStyle),
  };
}

/** To its first line. */
function foldReasoning(event: ThreadEvent): ThreadEvent {
  if (event.type !== "item.completed" || event.item.type !== "reasoning") return event;
  const [text = ""] = event.item.text.trim().split("\n", 1);
  return { ...event, item: { ...event.item, text } };
}
