import { readFileName } from "./read-file-name.ts";

/** What git writes in front of the hunks of a file (git-diff, "Generating patch text with -p"). */
export interface GitHead {
  /** As of `FileDiff`. */
  readonly from: string | null;
  readonly to: string | null;
  /** What it says besides the names: of modes, of a file that is no text. */
  readonly notes: readonly string[];
  /** The line behind it. */
  readonly end: number;
}

export const gitHeadStart = "diff --git ";

/** `start`: of the line that begins with `gitHeadStart`. */
export function readGitHead(lines: readonly string[], start: number): GitHead {
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
