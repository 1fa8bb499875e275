/** The message of an error; any other thrown value as text. Never throws; perhaps empty. */
export function describeThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return ""; // an object that cannot be made a text
  }
}
