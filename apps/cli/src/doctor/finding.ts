/** What one check found. */
export interface Finding {
  /** What was tried: `config`, `provider`, `mcp docs`. */
  readonly check: string;
  /**
   * `failed`: something that was asked for cannot work. `warning`: it works, and perhaps not as it was meant. `skipped`: it was
   * not tried, and `message` says why.
   */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  readonly message: string;
  /** What to do. Null: nothing, or `message` says it. */
  readonly remedy: string | null;
}

export function toFinding(check: string, state: Finding["state"], message: string): Finding {
  return { check, state, message, remedy: null };
}
