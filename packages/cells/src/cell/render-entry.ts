import type { UserInputPart } from "@unroll/protocol";
import { expandTabs, type StyledLine } from "@unroll/screen";
import { pluralize, toShownText } from "@unroll/text";
import { foldLines } from "../line/fold-lines.ts";
import { renderItem, splitItemParts } from "../item/render-item.ts";
import { indentLines } from "../line/indent-lines.ts";
import type { LinePart } from "../line/open-parts.ts";
import { toSpan } from "../line/plain-line.ts";
import type { CellOptions } from "../cell-options.ts";
import type { CellEntry, Entry } from "./entry.ts";
import { renderNotice } from "./render-notice.ts";

/** A finished entry of the transcript as lines; empty: nothing is shown. */
export function renderEntry(entry: Entry, options: CellOptions): readonly StyledLine[] {
  switch (entry.type) {
    case "cell":
      return renderCellEntry(entry, options);
    case "lines":
      return entry.lines;
  }
}

/** The same in parts that are drawn one by one. */
export function splitEntryParts(entry: Entry, options: CellOptions): readonly LinePart[] {
  if (entry.type === "cell" && entry.cell.type === "item") {
    const { item, isFinished } = entry.cell;
    return splitItemParts(item, { isFinished, now: null }, options);
  }
  const lines = renderEntry(entry, options);
  return [() => lines];
}

function renderCellEntry({ cell }: CellEntry, options: CellOptions): readonly StyledLine[] {
  switch (cell.type) {
    case "item":
      return renderItem(cell.item, { isFinished: cell.isFinished, now: null }, options);
    case "input":
      return renderInput(cell.input, options);
    case "question":
    case "notice":
      return renderNotice(cell, options);
  }
}

/** Your message as you typed it, with a long paste folded. Empty: the program wrote all of it. */
function renderInput(input: readonly UserInputPart[], options: CellOptions): readonly StyledLine[] {
  if (input.length === 0) return [];
  const text = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = input.filter(({ type }) => type === "image").length;
  const shown = toShownText(text).trimEnd();
  const lines = shown
    .split("\n")
    .map((line): StyledLine => ({ spans: line === "" ? [] : [toSpan(expandTabs(line), ["person"])], wrap: "words" }));
  const pictures =
    images === 0
      ? []
      : [
          {
            spans: [toSpan(`[${pluralize(images, "picture")}]`, ["muted"])],
            wrap: "words",
          } as const,
        ];
  const all = shown === "" && images > 0 ? pictures : [...lines, ...pictures];
  return indentLines(foldLines(all, { head: 12, tail: 3, indent: "" }, options), {
    first: [toSpan("› ", ["person"])],
    next: [{ text: "  " }],
  });
}

/** Whether it follows the entry above without an empty line. */
export function isNote(entry: Entry): boolean {
  return entry.type === "cell" && entry.cell.type === "notice";
}
