const maxErrorLength = 500;

/** What was thrown, in one line without a stack. */
export function describeError(error: unknown): string {
  const [line = ""] = toText(error).trim().split("\n", 1);
  return line.slice(0, maxErrorLength) || "unknown error";
}

/** Anything can be thrown, also what cannot be made a text. */
function toText(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "";
  }
}
