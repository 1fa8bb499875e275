import type { CommandExecutionThreadItem, ThreadEvent, ThreadItem, TokenUsage } from "@unroll/protocol";
import type { EventPrinter } from "./event-printer.ts";
import type { LineWriter } from "./line-writer.ts";
import { type TextStyle, toPlainText } from "./text-style.ts";

/** Lines of a command's output that are shown; the model sees more. */
const shownOutputLines = 12;

export interface TextPrinterOptions {
  readonly stdout: LineWriter;
  readonly stderr: LineWriter;
  readonly style: TextStyle;
  readonly showReasoning: boolean;
}

/**
 * For people: progress on stderr as it happens, the final message alone on stdout. A message is held until it is known
 * whether it is the final one.
 */
export function createTextPrinter({ stdout, stderr, style, showReasoning }: TextPrinterOptions): EventPrinter {
  let held: string | null = null;
  const say = (text: string): Promise<void> => stderr.write(`${text}\n`);

  async function releaseHeld(): Promise<void> {
    if (held === null) return;
    await say(`${style("cyan", "•")} ${held}`);
    held = null;
  }

  async function printItem(item: ThreadItem): Promise<void> {
    if (item.type === "agent_message") {
      held = toPlainText(item.text);
      return;
    }
    const text = renderItem(item, style, showReasoning);
    if (text !== null) await say(text);
  }

  return {
    async print(event) {
      switch (event.type) {
        case "item.started":
          await releaseHeld();
          if (event.item.type === "command_execution") await say(renderCommand(event.item, style));
          if (event.item.type === "todo_list") await printItem(event.item);
          return;
        case "item.updated":
          return printItem(event.item);
        case "item.completed":
          await releaseHeld();
          if (event.item.type !== "todo_list") await printItem(event.item);
          return;
        case "turn.completed":
          await say(renderUsage(event.usage, style));
          if (held !== null) await stdout.write(`${held}\n`);
          return;
        case "turn.failed":
          await releaseHeld();
          await say(`${style("red", "error:")} ${toPlainText(event.error.message)}`);
          return;
        default: {
          const notice = renderNotice(event, style);
          if (notice !== null) await say(notice);
        }
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
    default:
      return null;
  }
}

function renderItem(item: ThreadItem, style: TextStyle, showReasoning: boolean): string | null {
  switch (item.type) {
    case "command_execution":
      return renderResult(item, style);
    case "reasoning":
      return showReasoning ? style("dim", toPlainText(item.text)) : null;
    case "file_change": {
      const marks = { add: "A", delete: "D", update: "M" };
      const verb = item.status === "completed" ? style("green", "patched") : style("red", `patch ${item.status}`);
      return [verb, ...item.changes.map(({ path, kind }) => `  ${marks[kind]} ${toPlainText(path)}`)].join("\n");
    }
    case "todo_list":
      return item.items
        .map(({ text, completed }) => `  ${completed ? style("green", "✓") : "○"} ${toPlainText(text)}`)
        .join("\n");
    case "web_search":
      return `${style("cyan", "searched")} ${toPlainText(item.query)}`;
    case "mcp_tool_call":
      return `${style("cyan", "called")} ${item.server}.${item.tool}: ${item.status}`;
    case "image_view":
      return `${style("cyan", "viewed")} ${toPlainText(item.path)}`;
    case "error":
      return `${style("red", "error:")} ${toPlainText(item.message)}`;
    case "agent_message":
      return null;
  }
}

function renderCommand({ command }: CommandExecutionThreadItem, style: TextStyle): string {
  return `${style("bold", "$")} ${toPlainText(command)}`;
}

function renderResult(item: CommandExecutionThreadItem, style: TextStyle): string {
  const lines = toPlainText(item.aggregated_output).trimEnd().split("\n");
  const hidden = lines.length - shownOutputLines;
  const shown = lines.slice(-shownOutputLines).map((line) => style("dim", `  ${line}`));
  if (hidden > 0) shown.unshift(style("dim", `  … ${hidden} lines before`));
  const exit = item.exit_code === null ? item.status : `exit ${item.exit_code}`;
  const mark = item.status === "completed" ? style("green", `  ${exit}`) : style("red", `  ${exit}`);
  return lines.join("") === "" ? mark : [...shown, mark].join("\n");
}

function renderUsage(usage: TokenUsage, style: TextStyle): string {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  const count = (tokens: number): string => tokens.toLocaleString("en-US");
  return style("dim", `tokens: ${count(input)} in, ${count(cached)} of them cached (${share} %), ${count(output)} out`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
