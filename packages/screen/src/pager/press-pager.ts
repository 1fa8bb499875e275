import { pressInField } from "../edit/text-field.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { does, findAction } from "../key/keymap.ts";
import { bodyRows, findLastTop, isBehind, movePager } from "./move-pager.ts";
import type { Pager, PagerSize, PagerSource } from "./pager.ts";
import { findLine } from "./search-pager.ts";

/** The pager after a key, by default those of `less`; null where it is closed. */
export function pressPager(pager: Pager, key: KeyEvent, size: PagerSize): Pager | null {
  if (pager.typing !== null) return pressWhileTyping({ ...pager, typing: pager.typing }, key, size);
  const action = findAction(key, pagerActions);
  switch (action) {
    case null:
      return pager;
    case "pager.close":
    case "pager.close_transcript":
      return null;
    case "pager.jump_top":
      return { ...pager, top: { line: 0, row: 0 } };
    case "pager.jump_bottom":
      return endPager(pager, size);
    case "pager.find":
      return { ...pager, typing: { text: "", caret: 0 }, missed: null };
    case "pager.find_next":
      return searchOn(
        pager,
        [
          { from: pager.top.line + 1, by: 1 },
          { from: 0, by: 1 },
        ],
        size,
      );
    case "pager.find_previous":
      return searchOn(
        pager,
        [
          { from: pager.top.line - 1, by: -1 },
          { from: pager.source.count - 1, by: -1 },
        ],
        size,
      );
    case "pager.scroll_up":
    case "pager.scroll_down":
    case "pager.page_up":
    case "pager.page_down":
    case "pager.half_page_up":
    case "pager.half_page_down":
      return movePager(pager, toSteps(action, bodyRows(size)), size);
  }
}

const pagerActions = [
  "pager.scroll_up",
  "pager.scroll_down",
  "pager.page_up",
  "pager.page_down",
  "pager.half_page_up",
  "pager.half_page_down",
  "pager.jump_top",
  "pager.jump_bottom",
  "pager.find",
  "pager.find_next",
  "pager.find_previous",
  "pager.close",
  "pager.close_transcript",
] as const;

type Scroll = Extract<(typeof pagerActions)[number], `${string}_${"up" | "down"}`>;

/** In rows; up is negative. */
function toSteps(action: Scroll, page: number): number {
  const half = Math.max(1, Math.floor(page / 2));
  const rows = action.startsWith("pager.page") ? page : action.startsWith("pager.half") ? half : 1;
  return action.endsWith("up") ? -rows : rows;
}

/** The pager at the end of what it shows. */
export function endPager(pager: Pager, size: PagerSize): Pager {
  return { ...pager, top: findLastTop(pager.source, size) };
}

/** Updates the source of a pager whose text grows. A pager at its end stays at the end; any other keeps its place. */
export function growPager(pager: Pager, source: PagerSource, size: PagerSize): Pager {
  const isAtEnd = !isBehind(findLastTop(pager.source, size), pager.top);
  const grown = { ...pager, source };
  return isAtEnd || isBehind(pager.top, findLastTop(source, size)) ? endPager(grown, size) : grown;
}

function pressWhileTyping(
  pager: Pager & { typing: NonNullable<Pager["typing"]> },
  key: KeyEvent,
  size: PagerSize,
): Pager {
  if (key.text === null && does(key, "list.cancel")) return { ...pager, typing: null };
  if (key.text === null && does(key, "list.accept")) {
    const query = pager.typing.text === "" ? pager.query : pager.typing.text;
    const { line } = pager.top;
    // search backwards too: a reader at the end looks for something above
    const ways = [
      { from: line, by: 1 },
      { from: line - 1, by: -1 },
    ] as const;
    return searchOn({ ...pager, typing: null, query }, ways, size);
  }
  return { ...pager, typing: pressInField(pager.typing, key) ?? pager.typing };
}

type SearchWay = Parameters<typeof findLine>[2];

/** Searches the first way, then the second if the first found nothing. */
function searchOn(pager: Pager, [first, second]: readonly [SearchWay, SearchWay], size: PagerSize): Pager {
  const { query, source } = pager;
  if (query === null) return pager;
  const line = findLine(source, query, first) ?? findLine(source, query, second);
  if (line === null) return { ...pager, missed: query };
  const top = { line, row: 0 };
  const last = findLastTop(pager.source, size);
  return { ...pager, missed: null, top: isBehind(top, last) ? last : top };
}
