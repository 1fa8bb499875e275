/** What was thrown, in its own words: the message of an error, anything else as text. Never throws; perhaps empty. */
export function describeThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return ""; // an object that cannot be made a text
  }
}
