/** One AGENTS.md file, or one that stands in for it, as far as the budget let it in. */
export interface AgentsDocument {
  readonly path: string;
  /** Without byte order mark. */
  readonly text: string;
  /** How many bytes of the file's `size` are in `text`. */
  readonly bytes: number;
  readonly size: number;
}

/** Everything that AGENTS.md files say to a thread. */
export interface AgentsDocuments {
  /** The one of `$CODEX_HOME`; null when there is none. */
  readonly global: AgentsDocument | null;
  /** At most one a folder, from the project root down to cwd. */
  readonly project: readonly AgentsDocument[];
}

/** Whether some of the file was left out. */
export function isTruncated(document: AgentsDocument): boolean {
  return document.bytes < document.size;
}
