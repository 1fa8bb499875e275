import { type DiffLine, type FileDiff, parseDiff } from "./parse-diff.ts";

/** One file of a patch. */
export interface FileUpdate {
  readonly kind: FileChange["kind"];
  /** Before the patch, where the file is moved. */
  readonly path: string;
  /** Null: it stays where it is. */
  readonly movedTo: string | null;
  /** The text of an added or deleted file, or the hunks of a changed one: one line around each change, no header. */
  readonly text: string;
}

interface FileChange {
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  readonly moved_from?: string;
}

/** The files of a patch in the order of their paths. `diff` of all of them: a diff that was cut is given whole, with the first file. */
export function listFileUpdates(changes: readonly FileChange[], diff: string): readonly FileUpdate[] {
  const files = parseDiff(diff);
  const updates = changes.map((change, index) => {
    if (files === null) return toUpdate(change, change.kind, index === 0 ? diff : "");
    const file = findFile(files, change) ?? (files.length === changes.length ? (files[index] ?? null) : null);
    // an added file that replaces another one is shown with what it replaces
    const kind = change.kind === "add" && file !== null && file.from !== null ? "update" : change.kind;
    return toUpdate(change, kind, file === null ? "" : toText(kind, file));
  });
  return updates.toSorted((left, right) => (left.path < right.path ? -1 : Number(left.path > right.path)));
}

function findFile(files: readonly FileDiff[], { path, moved_from: from }: FileChange): FileDiff | null {
  return files.find((file) => file.to === path) ?? files.find((file) => file.from === (from ?? path)) ?? null;
}

function toUpdate({ path, moved_from: from }: FileChange, kind: FileChange["kind"], text: string): FileUpdate {
  if (kind !== "update" || from === undefined) return { kind, path, movedTo: null, text };
  return { kind, path: from, movedTo: path, text };
}

function toText(kind: FileChange["kind"], { lines }: FileDiff): string {
  const rows = toRows(lines);
  return kind === "update" ? toHunks(rows).map(renderHunk).join("") : rows.map(({ text }) => text).join("");
}

/** A line of a diff. */
interface Row {
  readonly mark: " " | "+" | "-";
  /** With its line break, if it has one. */
  readonly text: string;
  /** The next line of the file before and of the file after, when this one begins. */
  readonly at: { readonly "-": number; readonly "+": number };
  /** Whether lines are left out in front of it. */
  readonly isApart: boolean;
}

const marks = { same: " ", added: "+", removed: "-" } as const;

function toRows(lines: readonly DiffLine[]): readonly Row[] {
  const rows: Row[] = [];
  let grown = 0;
  for (const [index, line] of lines.entries()) {
    if (line.type === "gap" || line.type === "note") continue;
    const mark = marks[line.type];
    const [before, next] = [lines[index - 1], lines[index + 1]];
    const isLast = next?.type === "note" && next.text.startsWith("\\");
    const at =
      mark === "-" ? { "-": line.number, "+": line.number + grown } : { "-": line.number - grown, "+": line.number };
    rows.push({ mark, text: isLast ? line.text : `${line.text}\n`, at, isApart: before?.type === "gap" });
    grown += mark === "+" ? 1 : mark === "-" ? -1 : 0;
  }
  return rows;
}

/** The changed lines, each with the line before and the line behind it. */
function toHunks(rows: readonly Row[]): readonly (readonly Row[])[] {
  const isChange = (row: Row | undefined): boolean => row !== undefined && row.mark !== " ";
  const hunks: Row[][] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const [before, next] = [rows[index - 1], rows[index + 1]];
    const isShown = isChange(row) || (isChange(before) && !row.isApart) || (isChange(next) && next?.isApart === false);
    if (isShown && isOpen && !row.isApart) hunks.at(-1)?.push(row);
    else if (isShown) hunks.push([row]);
    isOpen = isShown;
  }
  return hunks;
}

function renderHunk(rows: readonly Row[]): string {
  const body = rows.map(({ mark, text }) => (text.endsWith("\n") ? mark + text : `${mark}${text}\n${unended}`));
  return `@@ -${renderRange(rows, "-")} +${renderRange(rows, "+")} @@\n${body.join("")}`;
}

const unended = "\\ No newline at end of file\n";

/** An empty range is named by the line in front of it. */
function renderRange(rows: readonly Row[], side: "-" | "+"): string {
  const count = rows.filter(({ mark }) => mark === side || mark === " ").length;
  const start = (rows[0]?.at[side] ?? 1) - (count === 0 ? 1 : 0);
  return count === 1 ? `${start}` : `${start},${count}`;
}
