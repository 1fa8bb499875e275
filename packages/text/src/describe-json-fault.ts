import { describeThrown } from "./describe-thrown.ts";

/**
 * Describes the first error in invalid JSON, with its place counted from 1: `line 2, column 4: Unexpected token '}'`.
 * Null: nothing. By itself V8 (Node.js 24 and 26) often names no place, and quotes the text.
 */
export function describeJsonFault(text: string): string | null {
  const fault = parse(text);
  if (fault === null) return null;
  const before = text.slice(0, findPlace(text, fault)).split("\n");
  const [what = ""] = fault.split(/, (?:\.\.\.)?"| in JSON at | after JSON at | JSON at | at position /);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
}

function parse(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return describeThrown(error);
  }
}

function findPlace(text: string, fault: string): number {
  const named = /at position (\d+)/.exec(fault)?.[1];
  if (named !== undefined) return Number(named);
  const isUnexpected = (end: number): boolean => parse(text.slice(0, end))?.startsWith("Unexpected token") ?? false;
  if (!isUnexpected(text.length)) return text.length;
  // the text before the token is only incomplete, so the shortest beginning that fails with this error ends with the
  // token
  let [without, within] = [0, text.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (isUnexpected(middle)) within = middle;
    else without = middle;
  }
  return without;
}
