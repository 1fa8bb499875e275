import type { ThreadEvent, ThreadItem, TokenUsage } from "@unroll/protocol";
import { toPlainText } from "@unroll/text";
import type { EventPrinter } from "./event-printer.ts";
import type { LineWriter } from "./line-writer.ts";
import { renderMcpEvent } from "./render-mcp-event.ts";
import { type ItemView, renderItem, renderStart } from "./render-item.ts";
import type { TextStyle } from "./text-style.ts";

export interface TextPrinterOptions extends ItemView {
  /** Gets the final message, alone. Null: each message is shown with the progress, as it comes. */
  readonly stdout: LineWriter | null;
  readonly stderr: LineWriter;
  /** Of stdout. Elsewhere the final message is written as the model wrote it. */
  readonly isTerminal: boolean;
}

/**
 * For people: progress on stderr as it happens, the final message alone on stdout. A message is held until it is known
 * whether it is the final one.
 */
export function createTextPrinter(options: TextPrinterOptions): EventPrinter {
  const { stdout, stderr, style } = options;
  let held: string | null = null;
  /** The command whose line was printed last: of several side by side, the others are named again with their output. */
  let lastCommand: string | null = null;
  const say = (text: string): Promise<void> => stderr.write(`${text}\n`);
  const sayIfAny = async (text: string | null): Promise<void> => (text === null ? undefined : say(text));

  async function releaseHeld(): Promise<void> {
    if (held === null) return;
    await say(`${style("cyan", "•")} ${toPlainText(held)}`);
    held = null;
  }

  async function printItem(item: ThreadItem): Promise<void> {
    if (item.type === "agent_message") {
      held = item.text;
      if (stdout === null) await releaseHeld();
      return;
    }
    if (item.type === "command_execution" && item.id !== lastCommand) await printStart(item);
    await sayIfAny(renderItem(item, options));
  }

  async function printStart(item: ThreadItem): Promise<void> {
    if (item.type === "command_execution") lastCommand = item.id;
    await sayIfAny(renderStart(item, options));
  }

  return {
    async print(event) {
      switch (event.type) {
        case "item.started":
          await releaseHeld();
          return printStart(event.item);
        case "item.updated":
        case "item.completed":
          if (event.type === "item.completed" && event.item.type === "todo_list") return; // shown when it was updated
          await releaseHeld();
          await printItem(event.item);
          return;
        case "turn.completed":
          await say(renderUsage(event.usage, style));
          if (held !== null) await stdout?.write(`${options.isTerminal ? toPlainText(held) : held}\n`);
          held = null;
          return;
        case "turn.failed":
          await releaseHeld();
          await say(`${style("red", "error:")} ${toPlainText(event.error.message)}`);
          return;
        default:
          await sayIfAny(renderNotice(event, style));
      }
    },
  };
}

function renderNotice(event: ThreadEvent, style: TextStyle): string | null {
  switch (event.type) {
    case "warning":
      return `${style("yellow", "warning:")} ${toPlainText(event.message)}`;
    case "stream.retrying": {
      const { attempt, max_attempts, delay_ms, cause } = event;
      const text = `retry ${attempt} of ${max_attempts} in ${seconds(delay_ms)}: ${toPlainText(cause.message)}`;
      return style("yellow", text);
    }
    case "mcp.server_updated":
    case "mcp.tool_adapted":
      return renderMcpEvent(event, style);
    default:
      return null;
  }
}

function renderUsage(usage: TokenUsage, style: TextStyle): string {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  // toLocaleString would load all of ICU: 10 ms and 7 MB
  const count = (tokens: number): string => String(tokens).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return style("dim", `tokens: ${count(input)} in, ${count(cached)} of them cached (${share} %), ${count(output)} out`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
