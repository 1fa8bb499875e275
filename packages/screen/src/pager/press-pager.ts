import { pressInField } from "../edit/text-field.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { bodyRows, findLastTop, isBehind, movePager } from "./move-pager.ts";
import type { Pager, PagerSize, PagerSource } from "./pager.ts";
import { findLine } from "./search-pager.ts";

/** The pager after a key, those of `less`; null where it is closed. */
export function pressPager(pager: Pager, key: KeyEvent, size: PagerSize): Pager | null {
  if (pager.typing !== null) return pressWhileTyping({ ...pager, typing: pager.typing }, key, size);
  const page = bodyRows(size);
  const by = steps(page)[key.name];
  if (by !== undefined) return movePager(pager, by, size);
  switch (key.name) {
    case "q":
    case "escape":
    case "ctrl+c":
    case "ctrl+t":
      return null;
    case "g":
    case "home":
    case "<":
      return { ...pager, top: { line: 0, row: 0 } };
    case "G":
    case "end":
    case ">":
      return endPager(pager, size);
    case "/":
      return { ...pager, typing: { text: "", caret: 0 }, missed: null };
    case "n":
      return searchOn(
        pager,
        [
          { from: pager.top.line + 1, by: 1 },
          { from: 0, by: 1 },
        ],
        size,
      );
    case "N":
      return searchOn(
        pager,
        [
          { from: pager.top.line - 1, by: -1 },
          { from: pager.source.count - 1, by: -1 },
        ],
        size,
      );
  }
  return pager;
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

function steps(page: number): Readonly<Record<string, number>> {
  const half = Math.max(1, Math.floor(page / 2));
  return {
    up: -1,
    k: -1,
    "ctrl+p": -1,
    down: 1,
    j: 1,
    enter: 1,
    "ctrl+n": 1,
    pageup: -page,
    b: -page,
    "ctrl+b": -page,
    "shift+space": -page,
    pagedown: page,
    space: page,
    f: page,
    "ctrl+f": page,
    u: -half,
    "ctrl+u": -half,
    d: half,
    "ctrl+d": half,
  };
}

function pressWhileTyping(
  pager: Pager & { typing: NonNullable<Pager["typing"]> },
  key: KeyEvent,
  size: PagerSize,
): Pager {
  if (key.name === "escape" || key.name === "ctrl+c") return { ...pager, typing: null };
  if (key.name === "enter") {
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
