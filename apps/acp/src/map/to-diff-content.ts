import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import { type DiffLine, type FileDiff, parseDiff } from "@unroll/text";
import { toFencedText, toTextContent } from "./text-content.ts";

/** A piece of a patch. */
interface DiffPiece {
  /** Absolute; null: of no file. */
  readonly path: string | null;
  /** Where it begins, in the file as it becomes, from 1; null: it is gone, or not known. */
  readonly line: number | null;
  readonly content: ToolCallContent;
}

/**
 * A unified diff as the pieces that change, each with the lines around it: the protocol wants the text before and
 * after, and whole files would be much. Text that is not a valid diff is shown as it is.
 */
export function toDiffContent(diff: string): readonly DiffPiece[] {
  if (diff === "") return [];
  const files = parseDiff(diff);
  if (files === null) return [{ path: null, line: null, content: toTextContent(toFencedText(diff)) }];
  return files.flatMap(toPieces);
}

type TextLine = Extract<DiffLine, { readonly number: number }>;

function toPieces({ from, to, lines }: FileDiff): readonly DiffPiece[] {
  const path = to ?? from;
  const notes = lines.flatMap((line) => (line.type === "note" ? [line.text] : []));
  const told = notes.map((text): DiffPiece => ({ path, line: null, content: toTextContent(toFencedText(text)) }));
  if (path === null) return told;
  const hunks = splitHunks(lines).map((hunk): DiffPiece => {
    const line = to === null ? null : (hunk.find(({ type }) => type !== "removed")?.number ?? null);
    const oldText = from === null ? null : joinSide(hunk, "added");
    return { path, line, content: { type: "diff", path, oldText, newText: joinSide(hunk, "removed") } };
  });
  return [...hunks, ...told];
}

function splitHunks(lines: readonly DiffLine[]): readonly (readonly TextLine[])[] {
  const hunks: TextLine[][] = [[]];
  for (const line of lines) {
    if (line.type === "gap") hunks.push([]);
    else if (line.type !== "note") hunks.at(-1)?.push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

function joinSide(hunk: readonly TextLine[], other: "added" | "removed"): string {
  return hunk.flatMap(({ type, text }) => (type === other ? [] : [`${text}\n`])).join("");
}
