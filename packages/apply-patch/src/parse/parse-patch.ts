import { checkShape } from "@unroll/text";
import { clip } from "../diagnose/show-line.ts";
import type { Patch } from "../patch.ts";
import { createFailure, type PatchFailure } from "../patch-failure.ts";
import { findEnvelope } from "./find-envelope.ts";
import { readPatchLine, finishPatch, type OpenPatch, type SyntaxProblem } from "./read-patch-line.ts";

/** A text as a patch, or why it is none. */
export type ParseResult = { readonly type: "patch.parsed"; readonly patch: Patch } | PatchFailure;

/** 32 Mi characters: far above what a model writes, far below what hurts. */
const defaultMaxPatchLength: number = 32 * 1024 * 1024;

/**
 * Parses a patch in the apply_patch format, in time linear in its length. Blank lines around it and
 * a heredoc wrapper (`<<'EOF'` and `EOF`) are removed; CRLF counts as LF. Never throws: an invalid
 * patch, or one longer than `maxLength` UTF-16 units, is a failure that names the line, the finding
 * and the expectation.
 */
export function parsePatch(text: string, maxLength: number = defaultMaxPatchLength): ParseResult {
  checkShape("parsePatch", { text }, { text: "text" });
  if (text.length > maxLength) return tooLong(text.length, maxLength);
  const lines = text.split("\n");
  const envelope = findEnvelope(lines);
  if (envelope.type === "syntax.problem") return malformed(envelope);
  const open: OpenPatch = { files: [], blankLine: null, hasMarkedLine: false };
  for (let index = envelope.first; index < envelope.end; index++) {
    const problem = readPatchLine(open, withoutReturn(lines[index] ?? ""), index + 1);
    if (problem !== null) return malformed(problem);
  }
  const problem = finishPatch(open, envelope.end + 1);
  return problem === null ? { type: "patch.parsed", patch: { files: open.files } } : malformed(problem);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function tooLong(length: number, maxLength: number): PatchFailure {
  const message = `The patch has ${length} characters; at most ${maxLength} are taken. Split it into several patches.`;
  return createFailure([{ type: "patch.malformed", line: 1, message }]);
}

function malformed({ line, found, expected }: SyntaxProblem): PatchFailure {
  const what = found === "" ? "a blank line" : `\`${clip(found)}\``;
  const message = `Line ${line} of the patch: found ${what}; expected ${expected}.`;
  return createFailure([{ type: "patch.malformed", line, message }]);
}
