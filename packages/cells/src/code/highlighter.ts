import type { Span } from "@unroll/screen";

/** Colours of code. Languages are loaded when they are first wanted. */
export interface Highlighter {
  /**
   * The lines of the code as spans: as many as it has. Null: the language is not known, or not loaded yet; then it is shown
   * plain. `language`: as it stands behind a fence.
   */
  highlight(code: string, language: string): readonly (readonly Span[])[] | null;
  /** Begins to load the language where that is new. Whether it is being loaded. */
  load(language: string): boolean;
  /** Resolves when nothing is being loaded. Never rejects: what cannot be loaded stays plain. */
  settled(): Promise<void>;
}
