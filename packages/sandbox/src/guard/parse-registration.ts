/** What one harness says of the placeholders it uses. */
export interface Registration {
  /** Of the harness: its process id and when that process started, so that a later one is not taken for it. */
  readonly owner: string;
  /** Every path that a sandbox of its may be holding down. */
  readonly using: readonly string[];
  /** Of these, the ones that were not there before a sandbox made them. */
  readonly created: readonly string[];
}

/** A file that a crash cut off names nobody and nothing. */
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
