import type { CellPosition, Row } from "../line/row.ts";
import type { KeyAction } from "../key/key-actions.ts";
import { isTextKey, showKey } from "../key/key-name.ts";
import { defaultKeymap, type Keymap, showFirstKey } from "../key/keymap.ts";
import { alignRow, truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import { bodyRows } from "./move-pager.ts";
import type { Pager, PagerSize } from "./pager.ts";
import { markMatches } from "./search-pager.ts";

/** All rows of the window, the last of which says where one is and what keys there are. */
export function renderPager(
  pager: Pager,
  size: PagerSize,
): { readonly rows: readonly Row[]; readonly cursor: CellPosition | null } {
  const height = bodyRows(size);
  const { rows, next } = readRows(pager, size, height);
  while (rows.length < height) rows.push([]);
  if (pager.typing !== null) {
    const column = 1 + measureText(pager.typing.text.slice(0, pager.typing.caret));
    return { rows: [...rows, [{ text: `/${pager.typing.text}` }]], cursor: { row: height, column } };
  }
  return { rows: [...rows, statusRow(pager, next, size)], cursor: null };
}

function readRows(pager: Pager, size: PagerSize, height: number): { rows: Row[]; next: number } {
  const rows: Row[] = [];
  let { line, row } = pager.top;
  while (rows.length < height && line < pager.source.count) {
    const wrapped = wrapLine(pager.source.at(line), Math.max(1, size.columns)).slice(row, row + height - rows.length);
    rows.push(...wrapped.map((each) => (pager.query === null ? each : markMatches(each, pager.query))));
    [line, row] = [line + 1, 0];
  }
  return { rows, next: line };
}

/** From this width on there is room for all keys. */
const wideColumns = 70;

function statusRow(pager: Pager, next: number, { columns: width, keymap = defaultKeymap }: PagerSize): Row {
  const columns = width - 1;
  const { count } = pager.source;
  const place =
    next >= count
      ? pager.top.line === 0 && pager.top.row === 0
        ? "all"
        : "end"
      : `${Math.floor((next * 100) / count)} %`;
  if (pager.missed !== null) return truncateRow([{ text: `not found: ${pager.missed}`, roles: ["warning"] }], columns);
  const left: Row = [{ text: pager.title, roles: ["strong"] }];
  const keys = columns < wideColumns ? [] : [...pageKeys(keymap), ...showAction(keymap, "pager.find", "search")];
  const shown = [place, ...keys, ...showAction(keymap, "pager.close", "close")].join(" · ");
  return alignRow(left, [{ text: shown, roles: ["muted"] }], columns);
}

/** By letters where they turn pages, too: a person has the hand there. */
function pageKeys(keymap: Keymap): readonly string[] {
  const keys = (["pager.page_down", "pager.page_up"] as const).flatMap((action) => {
    const key = keymap[action].find(isTextKey) ?? keymap[action][0];
    return key === undefined ? [] : [key === "space" ? key : showKey(key)];
  });
  return keys.length === 0 ? [] : [`${keys.join(", ")}: page`];
}

function showAction(keymap: Keymap, action: KeyAction, words: string): readonly string[] {
  const key = showFirstKey(keymap, action);
  return key === null ? [] : [`${key}: ${words}`];
}
