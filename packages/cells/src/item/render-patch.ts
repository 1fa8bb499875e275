import type { FileChangeThreadItem } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { shortenPath } from "@unroll/view";
import type { CellOptions } from "../cell/cell-options.ts";
import { type FileDiff, parseDiff } from "../diff/parse-diff.ts";
import { renderDiff } from "../diff/render-diff.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderReason } from "./render-command.ts";

/** Lines of a file's diff that are shown where it is folded. */
const foldedLines = 40;

/** A patch: what became of it, then each file with its diff, where there is one. */
export function renderPatch(item: FileChangeThreadItem, options: CellOptions): readonly StyledLine[] {
  const { status, changes, reason } = item;
  const files = `${changes.length} ${changes.length === 1 ? "file" : "files"}`;
  const isGood = status === "completed";
  const words = { completed: "changed", failed: "not changed", declined: "not changed", in_progress: "changing" };
  const mark = isGood ? "✓" : status === "in_progress" ? "·" : "✗";
  const head = toSpan(`${mark} ${words[status]} ${files}`, [
    isGood ? "success" : status === "in_progress" ? "muted" : "error",
  ]);
  return [...renderReason(head, reason), ...renderChanges(item, options)];
}

function renderChanges({ changes, diff }: FileChangeThreadItem, options: CellOptions): readonly StyledLine[] {
  if (diff !== undefined && diff !== "") return renderPatchDiff(diff, options);
  return changes.map(({ kind, path }) => ({
    spans: [toSpan(`  ${kinds[kind]} `, ["accent"]), toSpan(toShownText(shortenPath(path, options.cwd)))],
    wrap: "words",
  }));
}

const kinds = { add: "A", update: "M", delete: "D" };

/** A unified diff, file by file. */
export function renderPatchDiff(diff: string, options: CellOptions): readonly StyledLine[] {
  return parseDiff(diff).flatMap((file) => [
    ...renderHead(file, options),
    ...renderDiff(file.lines, {
      diffWords: options.libraries.diffWords,
      maxLines: options.detail === "whole" ? null : foldedLines,
      more: options.more,
    }),
  ]);
}

function renderHead({ from, to, added, removed }: FileDiff, { cwd }: CellOptions): readonly StyledLine[] {
  const path = to ?? from;
  if (path === null) return [];
  const kind = from === null ? "A" : to === null ? "D" : from === to ? "M" : "R";
  const name = (file: string): string => toShownText(shortenPath(file, cwd));
  const moved = kind === "R" && from !== null ? `${name(from)} → ` : "";
  return [
    {
      spans: [
        toSpan(`  ${kind} `, ["accent"]),
        toSpan(`${moved}${name(path)}`, ["strong"]),
        ...(added > 0 ? [toSpan(` +${added}`, ["added"])] : []),
        ...(removed > 0 ? [toSpan(` -${removed}`, ["removed"])] : []),
      ],
      wrap: "words",
    },
  ];
}
