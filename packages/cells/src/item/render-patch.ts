import type { FileChange, FileChangeThreadItem } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import { type FileDiff, parseDiff, pluralize, toShownText } from "@unroll/text";
import { shortenPath } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";

import { renderDiff, renderRawDiff } from "../diff/render-diff.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderReason } from "./render-reason.ts";

/** How many lines of a file's diff are shown when folded. */
const foldedLines = 40;

/** A patch: its result, then each file with its diff, if there is one. */
export function renderPatch(item: FileChangeThreadItem, options: CellOptions): readonly StyledLine[] {
  const { status, changes, reason, diff = "" } = item;
  const isGood = status === "completed";
  const words = `${isGood ? "✓ changed" : "✗ not changed:"} ${countFiles(item)}`;
  const head = renderReason(toSpan(words, [isGood ? "success" : "error"]), reason ?? null);
  return [
    ...head,
    ...(diff === "" ? changes.map((change) => renderChange(change, options)) : renderPatchDiff(diff, options)),
  ];
}

/** A patch that is not written yet. If you are asked about it, the dialog shows all of it. */
export function renderRunningPatch(item: FileChangeThreadItem, options: CellOptions): readonly StyledLine[] {
  const head: StyledLine = { spans: [toSpan(`changing ${countFiles(item)}`, ["muted"])], wrap: "words" };
  return [head, ...item.changes.map((change) => renderChange(change, options))];
}

function countFiles({ changes }: FileChangeThreadItem): string {
  return pluralize(changes.length, "file");
}

const kinds = { add: "A", update: "M", delete: "D" };

function renderChange({ kind, path }: FileChange, { cwd }: CellOptions): StyledLine {
  const name = toShownText(shortenPath(path, cwd)).replaceAll(/[\n\t]+/g, " ");
  return { spans: [toSpan(`  ${kinds[kind]} `, ["accent"]), toSpan(name)], wrap: "words" };
}

/** A unified diff, file by file. */
export function renderPatchDiff(diff: string, options: CellOptions): readonly StyledLine[] {
  const maxLines = options.detail === "whole" ? null : foldedLines;
  const diffOptions = { diffWords: options.libraries.diffWords, maxLines, more: options.more };
  const files = parseDiff(diff);
  if (files === null) return renderRawDiff(diff, diffOptions);
  return files.flatMap((file) => [...renderHead(file, options), ...renderDiff(file.lines, diffOptions)]);
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
