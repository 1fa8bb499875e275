/** How far a model is fetched: in bytes, of the part that comes now. Null: no bytes come now. */
export interface PullProgress {
  /** Ollama's own words: `pulling manifest`. */
  readonly status: string;
  readonly bytes: { readonly completed: number; readonly total: number } | null;
}

/**
 * One line of the answer to `POST /api/pull` (https://docs.ollama.com/api). `error`: why the download failed; null
 * while it continues.
 */
export function parsePullProgress(line: string): PullProgress & { readonly error: string | null } {
  const value: unknown = JSON.parse(line);
  const { status, error, total, completed } = (typeof value === "object" && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  const isCounted = typeof total === "number" && total > 0;
  return {
    status: typeof status === "string" ? status : "",
    bytes: isCounted ? { completed: typeof completed === "number" ? completed : 0, total } : null,
    error: typeof error === "string" ? error : null,
  };
}
