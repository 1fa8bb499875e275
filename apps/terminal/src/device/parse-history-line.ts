/** The text of a line of the history; null where it is no such line, as one that a crash cut off. */
export function parseHistoryLine(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
    return isEntry ? (value.text as string) : null;
  } catch {
    return null;
  }
}
