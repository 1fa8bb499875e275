const maxErrorLength = 500;

/** What was thrown, in one line without a stack. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.trim().split("\n", 1);
  return line.slice(0, maxErrorLength) || "unknown error";
}
