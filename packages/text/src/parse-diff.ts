/** One file of a unified diff. */
export interface FileDiff {
  /** Null: it was not there. */
  readonly from: string | null;
  /** Null: it is gone. */
  readonly to: string | null;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** A line of it, without its mark. `number`: of the file before, where it is removed, else of the file after; from 1. */
export type DiffLine =
  | { readonly type: "same" | "added" | "removed"; readonly number: number; readonly text: string }
  /** Lines between two pieces that are the same, and are left out. */
  | { readonly type: "gap" }
  /** A note in the diff: text in brackets, or a missing line break. */
  | { readonly type: "note"; readonly text: string };

/**
 * Reads the harness's diffs (`diff` 9, file headers only) and git's. Lines that it does not understand become notes, so
 * nothing is left out. Null: something is missing inside a hunk, so the file and line numbers of the rest are unknown.
 */
export function parseDiff(diff: string): readonly FileDiff[] | null {
  const files: OpenFile[] = [];
  const lines = diff.replace(/\n$/, "").split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const file = files.at(-1);
    const isBetween = (file?.left ?? 0) <= 0;
    if (isBetween && line.startsWith(gitHeadStart)) {
      const { from, to, notes, end } = readGitHead(lines, at);
      files.push({ ...openFile(from, to), lines: notes.map((text) => ({ type: "note", text })) });
      at = end - 1;
    } else if (isBetween && line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      files.push(openFile(readFileName(line), readFileName(lines[at + 1] ?? "")));
      at += 1;
    } else if (file === undefined) {
      if (line !== "") files.push({ ...openFile(null, null), lines: [{ type: "note", text: line }] });
    } else if (line.startsWith("[... ") || (file.left > 0 && !/^[-+ \\]/.test(line))) return null;
    else readLine(file, line);
  }
  return files.map(({ from, to, lines: own, added, removed }) => ({ from, to, lines: own, added, removed }));
}

interface OpenFile {
  readonly from: string | null;
  readonly to: string | null;
  readonly lines: DiffLine[];
  added: number;
  removed: number;
  /** Lines of the hunk that are to come, of both sides. */
  left: number;
  oldLine: number;
  newLine: number;
}

function openFile(from: string | null, to: string | null): OpenFile {
  return { from, to, lines: [], added: 0, removed: 0, left: 0, oldLine: 1, newLine: 1 };
}

function readLine(file: OpenFile, line: string): void {
  const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (hunk !== null && file.left <= 0) {
    const [, oldStart, oldCount = "1", newStart, newCount = "1"] = hunk;
    if (file.lines.some(({ type }) => type !== "note")) file.lines.push({ type: "gap" });
    [file.oldLine, file.newLine] = [Number(oldStart), Number(newStart)];
    file.left = Number(oldCount) + Number(newCount);
  } else if (line.startsWith("+")) {
    file.lines.push({ type: "added", number: file.newLine++, text: line.slice(1) });
    file.added += 1;
    file.left -= 1;
  } else if (line.startsWith("-")) {
    file.lines.push({ type: "removed", number: file.oldLine++, text: line.slice(1) });
    file.removed += 1;
    file.left -= 1;
  } else if (line.startsWith(" ")) {
    file.lines.push({ type: "same", number: file.newLine++, text: line.slice(1) });
    file.oldLine += 1;
    file.left -= 2;
  } else if (!/^={10,}$/.test(line) && line !== "") file.lines.push({ type: "note", text: line });
}

/** The lines that git writes before the hunks of a file (git-diff, "Generating patch text with -p"). */
interface GitHead {
  /** As of `FileDiff`. */
  readonly from: string | null;
  readonly to: string | null;
  /** Its other facts: changed modes, or a binary file. */
  readonly notes: readonly string[];
  /** The line behind it. */
  readonly end: number;
}

const gitHeadStart = "diff --git ";

/** `start`: of the line that begins with `gitHeadStart`. */
function readGitHead(lines: readonly string[], start: number): GitHead {
  const [, name = ""] = /^diff --git a\/(.*) b\/\1$/.exec(lines[start] ?? "") ?? [];
  let [from, to]: (string | null)[] = [name, name];
  const notes: string[] = [];
  let end = start + 1;
  for (; end < lines.length && !isOver(lines[end] ?? ""); end += 1) {
    const line = lines[end] ?? "";
    if (line.startsWith("--- ")) from = withoutSide(readFileName(line));
    else if (line.startsWith("+++ ")) to = withoutSide(readFileName(line));
    else if (line.startsWith("new file mode")) from = null;
    else if (line.startsWith("deleted file mode")) to = null;
    else if (/^(?:rename|copy) from /.test(line)) from = line.replace(/^\w+ from /, "");
    else if (/^(?:rename|copy) to /.test(line)) to = line.replace(/^\w+ to /, "");
    else if (line !== "" && !/^(?:index|similarity|dissimilarity) /.test(line)) notes.push(line);
  }
  return { from: from ?? null, to: to ?? null, notes, end };
}

function isOver(line: string): boolean {
  return line.startsWith("@@ ") || line.startsWith(gitHeadStart);
}

/** Git writes `a/` in front of the old name, and `b/` in front of the new one. */
function withoutSide(name: string | null): string | null {
  return name === null ? null : name.replace(/^[ab]\//, "");
}

/** The name in a line `--- name` or `+++ name`, as it is written there; null: there is no file on that side. */
function readFileName(line: string): string | null {
  const [name = ""] = line.slice(4).split("\t", 1);
  return name === "/dev/null" ? null : name.replace(/^"(.*)"$/, "$1");
}
