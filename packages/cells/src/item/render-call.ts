import type { McpToolCallThreadItem, ToolCallThreadItem } from "@unroll/protocol";
import { expandTabs, type StyledLine, toStyledLines } from "@unroll/screen";
import { readCutLines, shortenText, toShownText } from "@unroll/text";
import { describeAgent, listAgents } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { foldLines, foldLongLine } from "../line/fold-lines.ts";
import { parsePersonInput, type PersonInput } from "./parse-person-input.ts";
import { renderReason } from "./render-reason.ts";
import { indentLines } from "../line/indent-lines.ts";
import { toSpan } from "../line/plain-line.ts";
import { formatDuration, formatRunning } from "../format-duration.ts";

/** A call of any tool, as it is shown. */
interface Call {
  readonly name: string;
  readonly arguments: unknown;
  readonly status: McpToolCallThreadItem["status"];
  /** Null: there is none. */
  readonly reason: string | null;
  /** The result as text; null: nothing. */
  readonly output: string | null;
}

/** A call of an MCP server's tool; while it runs, with its progress. */
export function renderMcpCall(
  item: McpToolCallThreadItem,
  elapsedMs: number | null,
  options: CellOptions,
): readonly StyledLine[] {
  const { server, tool, status, error, result, progress } = item;
  const call: Call = {
    name: `${server}.${tool}`,
    arguments: item.arguments,
    status,
    reason: error?.message ?? null,
    output: result === null ? null : describeContent(result.content),
  };
  const lines = renderCall(call, elapsedMs, options);
  if (status !== "in_progress" || progress === undefined) return lines;
  const { done, total, message } = progress;
  const measure = total === null ? String(done) : `${done} of ${total}`;
  const words = [measure, ...(message === null ? [] : [toShownText(message).replaceAll("\n", " ")])].join(" · ");
  return [...lines, { spans: [toSpan(`  ${words}`, ["muted"])], wrap: "words" }];
}

/** A call of any other tool. */
export function renderToolCall(
  item: ToolCallThreadItem,
  elapsedMs: number | null,
  options: CellOptions,
): readonly StyledLine[] {
  const asked = item.status === "completed" ? parsePersonInput(item) : null;
  if (asked !== null) return renderPersonInput(asked);
  const { tool, status, reason = null, agent } = item;
  const isKnown = item.reported !== undefined && options.detail !== "whole"; // the items of the sub-agents show it
  const output = isKnown || item.output?.trim() === reason?.trim() ? null : item.output; // the model got nothing but the reason
  const call = { name: tool, arguments: item.arguments, status, reason, output };
  if (agent === undefined) return renderCall(call, elapsedMs, options);
  const name = `sub-agent ${agent.name}`;
  const shown = { ...call, name, output: agent.state === "running" ? null : output };
  const own = listAgents(agent.agents ?? []).map((each) => `${each.name}: ${describeAgent(each.agent, status)}`);
  const rows = [describeAgent(agent, status), ...own].map((words): StyledLine => {
    return { spans: [toSpan(`  ${toOneLine(words)}`, ["muted"])], wrap: "words", hanging: [{ text: "  " }] };
  });
  return [...renderCall(shown, elapsedMs, options), ...rows];
}

/** The longest shown arguments, in UTF-16 units. */
const maxArguments = 200;

function renderCall(call: Call, elapsedMs: number | null, options: CellOptions): readonly StyledLine[] {
  const { name, status, reason, output } = call;
  const json = toShownText(toJson(call.arguments));
  const shown = options.detail === "whole" ? json : shortenText(json, maxArguments);
  const head: StyledLine = {
    spans: [
      toSpan("→ ", ["accent"]),
      toSpan(toShownText(name), ["strong"]),
      toSpan(shown === "{}" ? "" : ` ${shown}`, ["muted"]),
    ],
    wrap: "words",
    hanging: [{ text: "  " }],
  };
  const { lines: kept, mark } = readCutLines((output ?? "").trimEnd(), null);
  const text = kept.map((line) => foldLongLine(line, options)).join("\n");
  const lines = text === "" ? [] : toStyledLines(text, { wrap: "verbatim", roles: ["muted"] });
  const indented = indentLines(lines, { first: [{ text: "  " }], next: [{ text: "  " }] });
  return [
    head,
    ...foldLines(indented, { head: 3, tail: 2, indent: "  ", mark }, options),
    ...renderEnd({ status, reason }, elapsedMs),
  ];
}

function renderEnd(
  { status, reason }: Pick<Call, "status" | "reason">,
  elapsedMs: number | null,
): readonly StyledLine[] {
  const time = elapsedMs === null ? "" : ` · ${formatDuration(elapsedMs)}`;
  switch (status) {
    case "in_progress":
      return [{ spans: [toSpan(`  ${formatRunning(elapsedMs)}`, ["muted"])], wrap: "words" }];
    case "completed":
      return [{ spans: [toSpan(`  ✓ done${time}`, ["success"])], wrap: "words" }];
    case "failed":
      return renderReason(toSpan(`  ✗ failed${time}`, ["error"]), reason);
    case "declined":
      return renderReason(toSpan("  ✗ not called", ["error"]), reason);
    case "unknown":
      return renderReason(toSpan("  ? result unknown", ["warning"]), reason);
  }
}

/** The content that a server sent, as text. Other parts are shown by their type. */
function describeContent(content: readonly unknown[]): string {
  return content.map(describePart).join("\n");
}

function describePart(part: unknown): string {
  if (typeof part !== "object" || part === null || !("type" in part)) return toJson(part);
  if (part.type === "text" && "text" in part) return String(part.text);
  const kind = "mimeType" in part ? ` ${String(part.mimeType)}` : "";
  if (part.type === "image" || part.type === "audio") return `[${part.type}${kind}]`;
  return toJson(part);
}

/** Empty for `undefined`. */
function toJson(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** The model's questions, each with your answer below it. */
function renderPersonInput(asked: readonly PersonInput[]): readonly StyledLine[] {
  const hanging = [{ text: "  " }];
  return asked.flatMap(({ question, answers }): readonly StyledLine[] => [
    { spans: [toSpan("? ", ["accent"]), toSpan(toOneLine(question))], wrap: "words", hanging },
    answers.length === 0
      ? { spans: [toSpan("  not answered", ["muted"])], wrap: "words" }
      : {
          spans: [toSpan("  › ", ["person"]), toSpan(toOneLine(answers.join(", ")), ["person"])],
          wrap: "words",
          hanging,
        },
  ]);
}

function toOneLine(text: string): string {
  return expandTabs(toShownText(text)).replaceAll(/\s*\n\s*/g, " ");
}
