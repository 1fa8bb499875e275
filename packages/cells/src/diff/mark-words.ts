import type { Role, Span } from "@unroll/screen";
import { toSpan } from "../line/plain-line.ts";

/** The common and the changed words of two lines; null: they differ in too many words. */
export type WordDiff = (
  before: string,
  after: string,
) => readonly { readonly value: string; readonly added: boolean; readonly removed: boolean }[] | null;

/** Two lines with the words marked in which they differ; null: they have too little in common, or are too long. */
export function markWords(
  before: string,
  after: string,
  diffWords: WordDiff,
): { readonly before: readonly Span[]; readonly after: readonly Span[] } | null {
  if (before.length > maxLineLength || after.length > maxLineLength) return null;
  const parts = diffWords(before, after);
  if (parts === null) return null;
  const kept = parts.reduce(
    (sum, { value, added, removed }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  if (kept * 3 < Math.max(before.trim().length, after.trim().length)) return null;
  const side = (left: "added" | "removed", roles: readonly [Role, Role]): readonly Span[] =>
    parts
      .filter((part) => !part[left])
      .map(({ value, added, removed }) => toSpan(value, added || removed ? roles : [roles[0]]));
  return { before: side("added", ["removed", "removed-word"]), after: side("removed", ["added", "added-word"]) };
}

const maxLineLength = 400;
