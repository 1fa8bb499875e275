import type { Keymap } from "../key/keymap.ts";
import type { TextEdit } from "../edit/text-edit.ts";
import type { StyledLine } from "../line/styled-line.ts";

/** Lines of any number, each made when it is looked at. */
export interface PagerSource {
  readonly count: number;
  readonly at: (index: number) => StyledLine;
  /** The text of a line, for a search through all of them, which needs no colours. */
  readonly textAt: (index: number) => string;
}

/** A text on the full screen, as plain data. Only visible rows are laid out. */
export interface Pager {
  readonly title: string;
  readonly source: PagerSource;
  /** The first row that is seen: a row of a line. */
  readonly top: { readonly line: number; readonly row: number };
  /** The current query, and the one that is being typed; null: none. */
  readonly query: string | null;
  readonly typing: TextEdit | null;
  /** The last query that had no match. */
  readonly missed: string | null;
}

/** The size of a pager, in cells. */
export interface PagerSize {
  readonly columns: number;
  readonly rows: number;
  /** For the keys that are shown. Absent: those by default. */
  readonly keymap?: Keymap;
}

/** A pager at its first line, with `title` on its last row. */
export function openPager(title: string, source: PagerSource): Pager {
  return { title, source, top: { line: 0, row: 0 }, query: null, typing: null, missed: null };
}
