import type { HunkLine } from "../patch.ts";

/** An error in a line of the patch: `line` from 1; `expected` completes "expected …". */
export interface SyntaxProblem {
  readonly type: "syntax.problem";
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** A patch while it is read; the last file and its last hunk are the ones that lines are added to. */
export interface OpenPatch {
  readonly files: OpenFile[];
  /** A blank line without its `+` in the added file that is open: harmless after its end, lost text before it. */
  blankLine: number | null;
  /** The open hunk has a line with a mark. Blank lines alone, which are taken for context, make no hunk. */
  hasMarkedLine: boolean;
}
type OpenFile = OpenAdd | OpenUpdate | { readonly type: "file.delete"; readonly path: string; readonly line: number };
interface OpenAdd {
  readonly type: "file.add";
  readonly path: string;
  readonly line: number;
  readonly lines: string[];
}
interface OpenUpdate {
  readonly type: "file.update";
  readonly path: string;
  readonly line: number;
  moveTo: string | null;
  readonly hunks: OpenHunk[];
}
interface OpenHunk {
  readonly line: number;
  readonly anchors: string[];
  lines: HunkLine[];
  endOfFile: boolean;
}

const header = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const moveHeader = /^\*\*\* Move to:(.*)$/;
const headers = "`*** Add File: <path>`, `*** Delete File: <path>` or `*** Update File: <path>`";
const hunkLineExpected =
  "a line that begins with a space (context), `-` (remove) or `+` (add), or `@@`, `@@ <a whole line of the file>`, `*** End of File` or a `*** … File:` header";

/** Takes one line into the patch; a problem when it has no place there. */
export function readPatchLine(patch: OpenPatch, text: string, line: number): SyntaxProblem | null {
  const file = patch.files.at(-1);
  const trimmed = file?.type === "file.update" ? text.trimEnd() : text.trim();
  const [, kind, path] = header.exec(trimmed) ?? [];
  if (kind !== undefined) return closeFile(patch) ?? openFile(patch, { kind, path: (path ?? "").trim(), line });
  if (file?.type === "file.update") return readUpdateLine({ patch, file }, text, line);
  if (file?.type === "file.add") return readAddLine({ patch, file }, text, line);
  return trimmed === "" ? null : problem(line, text, headers);
}

/** Ends the last file; a problem when the patch, or its last hunk, does nothing. `line` is the one past the patch. */
export function finishPatch(patch: OpenPatch, line: number): SyntaxProblem | null {
  if (patch.files.length > 0) return closeFile(patch);
  return problem(line, "*** End Patch", `at least one file before it: ${headers}`);
}

function openFile(
  patch: OpenPatch,
  { kind, path, line }: { readonly kind: string; readonly path: string; readonly line: number },
): SyntaxProblem | null {
  if (!isPath(path)) return problem(line, `*** ${kind} File: ${path}`, "a path after the colon");
  patch.blankLine = null;
  patch.hasMarkedLine = false;
  if (kind === "Add") patch.files.push({ type: "file.add", path, line, lines: [] });
  else if (kind === "Delete") patch.files.push({ type: "file.delete", path, line });
  else patch.files.push({ type: "file.update", path, line, moveTo: null, hunks: [] });
  return null;
}

/** The file system takes every other character. */
function isPath(text: string): boolean {
  return text !== "" && !text.includes("\0");
}

interface Open<File> {
  readonly patch: OpenPatch;
  readonly file: File;
}

function readAddLine({ patch, file }: Open<OpenAdd>, text: string, line: number): SyntaxProblem | null {
  const expected = `\`+\` in front of every line of an added file, blank ones too, or ${headers}`;
  if (text.trim() === "") patch.blankLine ??= line;
  else if (!text.startsWith("+")) return problem(line, text, expected);
  else if (patch.blankLine !== null) return problem(patch.blankLine, "", expected);
  else file.lines.push(text.slice(1));
  return null;
}

function readUpdateLine(open: Open<OpenUpdate>, text: string, line: number): SyntaxProblem | null {
  const trimmed = text.trimEnd();
  const [, target] = moveHeader.exec(trimmed) ?? [];
  if (target !== undefined) return readMove(open.file, target.trim(), line);
  if (trimmed === "@@" || text.startsWith("@@ ")) return readAnchor(open, trimmed.slice(3), line);
  if (trimmed === "*** End of File") return readEndOfFile(open, line);
  return readHunkLine(open, text, line);
}

function readHunkLine({ patch, file }: Open<OpenUpdate>, text: string, line: number): SyntaxProblem | null {
  const last = file.hunks.at(-1);
  if (text === "") {
    if (last?.endOfFile === false) last.lines.push({ mark: " ", text });
    return null;
  }
  const mark = text[0];
  if (mark !== " " && mark !== "-" && mark !== "+") return problem(line, text, hunkLineExpected);
  if (last?.endOfFile === true) return problem(line, text, "`@@` or a new header after `*** End of File`");
  const hunk = last ?? startHunk(file, line);
  hunk.lines.push({ mark, text: text.slice(1) });
  patch.hasMarkedLine = true;
  return null;
}

function startHunk(file: OpenUpdate, line: number): OpenHunk {
  const hunk: OpenHunk = { line, anchors: [], lines: [], endOfFile: false };
  file.hunks.push(hunk);
  return hunk;
}

function readMove(file: OpenUpdate, target: string, line: number): SyntaxProblem | null {
  if (!isPath(target)) return problem(line, `*** Move to: ${target}`, "a path after the colon");
  if (file.hunks.length > 0 || file.moveTo !== null)
    return problem(line, `*** Move to: ${target}`, "`*** Move to:` once, right after its `*** Update File:` line");
  file.moveTo = target;
  return null;
}

/** `@@` begins a hunk; right after another `@@` line (blank lines do not count) it narrows that one. */
function readAnchor({ patch, file }: Open<OpenUpdate>, anchor: string, line: number): SyntaxProblem | null {
  const last = file.hunks.at(-1);
  const hunk = last === undefined || patch.hasMarkedLine ? startHunk(file, line) : last;
  hunk.lines = [];
  if (anchor !== "") hunk.anchors.push(anchor);
  patch.hasMarkedLine = false;
  return null;
}

function readEndOfFile({ patch, file }: Open<OpenUpdate>, line: number): SyntaxProblem | null {
  const hunk = file.hunks.at(-1);
  if (hunk === undefined || hunk.endOfFile || !patch.hasMarkedLine)
    return problem(line, "*** End of File", "the lines of a hunk before `*** End of File`");
  hunk.endOfFile = true;
  return null;
}

function closeFile(patch: OpenPatch): SyntaxProblem | null {
  const file = patch.files.at(-1);
  if (file?.type !== "file.update") return null;
  const hunk = file.hunks.at(-1);
  if (hunk === undefined && file.moveTo === null)
    return problem(
      file.line,
      `*** Update File: ${file.path}`,
      "at least one hunk (`@@`, then lines) or `*** Move to:`",
    );
  if (hunk !== undefined && !patch.hasMarkedLine)
    return problem(hunk.line, "@@", "lines that begin with a space, `-` or `+` after it");
  return null;
}

function problem(line: number, found: string, expected: string): SyntaxProblem {
  return { type: "syntax.problem", line, found, expected };
}
