import { describeThrown, shortenText } from "@unroll/text";

const maxErrorLength = 500;

/** An exception in one line, without a stack. */
export function describeError(error: unknown): string {
  const [line = ""] = describeThrown(error).trim().split("\n", 1);
  return shortenText(line, maxErrorLength) || "unknown error";
}
