/** How far a model is fetched: in bytes, of the part that comes now. Null: no bytes come now. */
export interface PullProgress {
  /** Ollama's own words: `pulling manifest`. */
  readonly status: string;
  readonly bytes: { readonly completed: number; readonly total: number } | null;
}
