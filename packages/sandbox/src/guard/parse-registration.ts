/** The placeholders that one harness uses. */
export interface Registration {
  /** The harness: its process id and start time, so that a later process is not mistaken for it. */
  readonly owner: string;
  /** Every path that one of its sandboxes may be blocking. */
  readonly using: readonly string[];
  /** The paths among these that did not exist before a sandbox created them. */
  readonly created: readonly string[];
}

/** A file that a crash cut off counts as empty. */
export function parseRegistration(text: string): Registration {
  const nobody: Registration = { owner: "", using: [], created: [] };
  try {
    const { owner, using, created } = JSON.parse(text) as Partial<Registration>;
    const isWhole = typeof owner === "string" && Array.isArray(using) && Array.isArray(created);
    return isWhole ? { owner, using: using.map(String), created: created.map(String) } : nobody;
  } catch {
    return nobody;
  }
}
