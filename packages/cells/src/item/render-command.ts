import type { CommandExecutionThreadItem } from "@unroll/protocol";
import { expandTabs, type StyledLine } from "@unroll/screen";
import { type CutMark, readCutLines, shortenText, showHidden, toShownText } from "@unroll/text";
import type { CellOptions } from "../cell-options.ts";
import { indentLines } from "../line/indent-lines.ts";
import { toSpan } from "../line/plain-line.ts";
import { formatDuration, formatRunning } from "../format-duration.ts";
import { foldLines, foldLongLine } from "../line/fold-lines.ts";
import { renderReason } from "./render-reason.ts";

/** A command with its output and how it ended. */
export function renderCommand(
  item: CommandExecutionThreadItem,
  elapsedMs: number | null,
  options: CellOptions,
): readonly StyledLine[] {
  const { lines, mark } = toOutputLines(item, options);
  return [
    ...renderCommandHead(item.command, options),
    ...foldLines(lines, { head: 3, tail: 8, indent: "  ", mark }, options),
    ...renderEnd(item, elapsedMs),
  ];
}

/** How many lines of a running command's output are shown. */
const liveLines = 5;

/** A running command: its last lines, and how long it has been running. */
export function renderRunningCommand(
  item: CommandExecutionThreadItem,
  elapsedMs: number | null,
  options: CellOptions,
): readonly StyledLine[] {
  const { lines } = toOutputLines(item, options);
  return [
    ...renderCommandHead(item.command, options),
    ...(options.detail === "whole" ? lines : lines.slice(-liveLines)),
    { spans: [toSpan(`  ${formatRunning(elapsedMs)}`, ["muted"])], wrap: "words" },
  ];
}

/** A background command between turns: one line. */
export function renderLeftCommand(
  { command }: CommandExecutionThreadItem,
  elapsedMs: number | null,
): readonly StyledLine[] {
  const [first = ""] = showHidden(command).trim().split("\n", 1);
  const spans = [
    toSpan("$ ", ["accent"]),
    toSpan(shortenText(expandTabs(first), 60)),
    toSpan(` · still ${formatRunning(elapsedMs)}`, ["muted"]),
  ];
  return [{ spans, wrap: "words" }];
}

/** `$ command`, with hidden characters escaped. */
function renderCommandHead(command: string, options: Pick<CellOptions, "detail" | "more">): readonly StyledLine[] {
  const lines = showHidden(command.trimEnd())
    .split("\n")
    .map((line): StyledLine => ({
      spans: line === "" ? [] : [toSpan(expandTabs(line), ["strong"])],
      wrap: "verbatim",
    }));
  const folded = foldLines(lines, { head: 4, tail: 2, indent: "" }, options);
  return indentLines(folded, { first: [toSpan("$ ", ["accent"])], next: [{ text: "  " }] }).map(({ spans, wrap }) => ({
    spans,
    wrap,
  }));
}

interface OutputLines {
  readonly lines: readonly StyledLine[];
  /** The lines that were not kept. */
  readonly mark: CutMark | null;
}

/** Text that a carriage return overwrote is left out, as on a terminal. */
function toOutputLines(
  { aggregated_output: output, omitted_lines: omitted = 0 }: CommandExecutionThreadItem,
  options: CellOptions,
): OutputLines {
  const written = output.replaceAll("\r\n", "\n").replaceAll(/^[^\n]*\r(?=[^\n\r])/gm, "");
  const text = toShownText(written).trimEnd();
  if (text === "") return { lines: [], mark: null };
  const { lines, mark } = readCutLines(text, omitted);
  const shown = lines.map((line): StyledLine => ({
    spans: line === "" ? [] : [toSpan(`  ${expandTabs(foldLongLine(line, options))}`, ["muted"])],
    wrap: "verbatim",
  }));
  return { lines: shown, mark };
}

function renderEnd(item: CommandExecutionThreadItem, elapsedMs: number | null): readonly StyledLine[] {
  const isGood = item.status === "completed" && (item.exit_code ?? 0) === 0;
  const [mark, role] = isGood
    ? (["✓", "success"] as const)
    : item.status === "unknown"
      ? (["?", "warning"] as const)
      : (["✗", "error"] as const);
  const { status, exit_code: code, reason = null } = item;
  const isWhole = (status === "failed" && code === null) || item.code === "sandbox_unavailable";
  if (isWhole && reason !== null && reason.trim() !== "") return renderReason(toSpan(`  ${mark}`, [role]), reason, " ");
  const time = elapsedMs === null || status === "declined" ? [] : [formatDuration(elapsedMs)];
  const words = [describeEnd(item), ...time].join(" · ");
  return renderReason(toSpan(`  ${mark} ${words}`, [role]), reason);
}

function describeEnd({ status, exit_code: code }: CommandExecutionThreadItem): string {
  switch (status) {
    case "declined":
      return "not run";
    case "in_progress":
      return "unfinished";
    case "unknown":
      return "result unknown";
    case "failed":
    case "completed":
      return code === null ? (status === "failed" ? "failed" : "ended") : describeExit(code);
  }
}

function describeExit(code: number): string {
  const signal = signals[code - 128];
  return signal === undefined ? `exit ${code}` : `exit ${code} (${signal})`;
}

/** Signals by number, the same on all systems (POSIX, kill). */
const signals: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  9: "SIGKILL",
  14: "SIGALRM",
  15: "SIGTERM",
  11: "SIGSEGV",
};
