import type { RequestRow, ThreadAccount } from "@unroll/accounting";
import { showHidden } from "@unroll/text";
import { describeAccount, describeMiss } from "../text/describe-account.ts";
import { formatCost, formatCount, formatTime } from "../text/format.ts";

interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  readonly value: (row: RequestRow) => string;
}

export const columns: readonly Column[] = [
  { title: "request", align: "right", value: ({ request }) => formatCount(request) },
  { title: "turn", align: "right", value: ({ turn }) => formatCount(turn) },
  { title: "time (UTC)", align: "left", value: ({ sentAt }) => formatTime(sentAt) },
  { title: "input", align: "right", value: ({ inputTokens }) => formatCount(inputTokens) },
  { title: "shared", align: "right", value: ({ sharedTokens }) => formatCount(sharedTokens) },
  { title: "cached", align: "right", value: ({ cachedTokens }) => formatCount(cachedTokens) },
  { title: "uncached", align: "right", value: ({ uncachedTokens }) => formatCount(uncachedTokens) },
  { title: "written", align: "right", value: ({ writtenTokens }) => formatCount(writtenTokens) },
  { title: "output", align: "right", value: ({ outputTokens }) => formatCount(outputTokens) },
  { title: "cost", align: "right", value: ({ cost }) => formatCost(cost?.withCache ?? null) },
  { title: "without cache", align: "right", value: ({ cost }) => formatCost(cost?.withoutCache ?? null) },
  { title: "why it missed the cache", align: "left", value: describeMiss },
];

/** A thread as a table of its requests, with what they come to below it; lines. */
export function renderCacheTable(account: ThreadAccount): readonly string[] {
  const summary = describeAccount(account);
  if (account.rows.length === 0) return summary;
  const cells = [columns.map(({ title }) => title), ...account.rows.map(toCells)];
  const widths = columns.map((_, at) => cells.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => pad(cell, { at, width: widths[at] ?? 0 }))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, "", ...summary];
}

function toCells(row: RequestRow): readonly string[] {
  return columns.map(({ value }) => showHidden(value(row)).replaceAll("\n", " "));
}

function pad(text: string, { at, width }: { readonly at: number; readonly width: number }): string {
  return columns[at]?.align === "right" ? text.padStart(width) : text.padEnd(width);
}
