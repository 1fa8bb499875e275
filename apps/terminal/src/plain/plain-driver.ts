import { loadLibraries } from "@unroll/cells";
import type { KeyAction } from "@unroll/screen";
import { openLineTerminal, type ProcessIo, ProgramError } from "@unroll/program";
import { type ColorMode, emptyThreadView, reduceThread, takeFinished } from "@unroll/view";
import type { FollowedText } from "../command/terminal-command.ts";
import type { Driver } from "../driver.ts";
import type { HelpEntry } from "../text/render-help.ts";
import { askFlow } from "./ask-flow.ts";
import { createPlainInput } from "./plain-input.ts";
import { createPlainPrinter } from "./plain-printer.ts";
import { toPlainRows } from "./plain-rows.ts";

export interface PlainOptions {
  readonly io: Pick<ProcessIo, "stdin" | "stderr" | "sleep" | "env">;
  readonly color: ColorMode;
  /** You want to leave. */
  readonly leave: () => void;
}

const plainKeys: readonly HelpEntry[] = [
  { name: "Enter", description: "send; during a turn, with its next request" },
  { name: "^C", description: "stop the turn; leave a question; otherwise quit" },
  { name: "^D", description: "quit" },
  { name: "!command", description: "run a command as you, outside the sandbox (!!command: inside)" },
];

const ownKeys: Readonly<Partial<Record<KeyAction, string>>> = { "list.cancel": "^C", "global.quit": "^D" };

/** The width of lines in a script. */
const assumedColumns = 80;

/** Writes lines one below the other on stderr, and never over them; reads lines from stdin, yours or those of a script. */
export function createPlainDriver({ io, color, leave }: PlainOptions): Driver {
  const terminal = openLineTerminal(io);
  const columns = (): number | null => terminal.size()?.columns ?? null;
  const printer = createPlainPrinter({ io, color, columns });
  const input = createPlainInput(terminal, leave);
  let view = emptyThreadView;
  let isEnded = false;

  /** Above the question or the line that you type. */
  async function write(text: string): Promise<void> {
    if (!isEnded && text !== "") await terminal.tell(text);
  }
  const toText = (lines: Parameters<Driver["page"]>[1]): string =>
    lines.flatMap((line) => toPlainRows(line, columns()).map((row) => `${row}\n`)).join("");

  return {
    keys: plainKeys,
    isAttended: terminal.isTyped,
    answeredBy: "lines",
    showKey: (action) => ownKeys[action] ?? null,
    live: null,
    columns: () => (columns() ?? assumedColumns) - 1,
    load: () => loadLibraries(),
    beginThread(thread) {
      view = emptyThreadView;
      printer.begin(thread);
    },
    get view() {
      return view;
    },
    apply(event) {
      ({ view } = takeFinished(reduceThread(view, event)));
      const received = event.type === "input.received" ? input.describeReceived(event.input) : "";
      return write(`${received}${printer.print(event)}`);
    },
    add: (entry) => void write(toText(entry.lines)),
    setKeymap: () => {},
    hasVim: null,
    setVim: () => {},
    echo: () => {}, // the terminal already shows your line
    showReasoning: (reasoning) => printer.showReasoning(reasoning),
    chooseTheme: (theme) => printer.setColored(theme !== "plain"),
    page: (title, lines) => void write(`${title}\n${toText(lines)}`),
    follow: (text) => void follow(text, { io, signal: input.untilLine(), write }),
    pageThread: () => false,
    ...input.driven,
    ask: (flow, signal) => input.withoutPrompt(() => terminal.alone(() => askFlow(terminal, flow, signal), signal)),
    lend(run) {
      if (terminal.isTyped) return terminal.lend(run);
      throw new ProgramError("usage", "An editor needs a terminal, but here stdin is a script.");
    },
    [Symbol.dispose]() {
      isEnded = true;
      terminal[Symbol.dispose]();
    },
  };
}

/** Between two checks, in ms. */
const lookMs = 200;

interface Following {
  readonly io: Pick<ProcessIo, "sleep">;
  readonly signal: AbortSignal;
  readonly write: (text: string) => Promise<void>;
}

/** Writes the text and what is added to it, until you type the next line. */
async function follow({ title, read }: FollowedText, { io, signal, write }: Following): Promise<void> {
  let before = read().trimEnd();
  await write(`${title}\n${before}\n`);
  for (await io.sleep(lookMs, signal); !signal.aborted; await io.sleep(lookMs, signal)) {
    const now = read().trimEnd();
    if (now !== before) await write(`${now.startsWith(before) ? now.slice(before.length).replace(/^\n/, "") : now}\n`);
    before = now;
  }
}
