/** A word that may be completed: `@` and a path anywhere, `/` and a command at the start. */
export interface CandidateQuery {
  readonly kind: "file" | "command";
  /** The text after the sign. */
  readonly query: string;
  /** Offset of the sign. */
  readonly start: number;
}

/** One of the completions. */
export interface Candidate {
  /** The text that replaces the word, without the sign: `src/main.ts`, `model`. */
  readonly value: string;
  /** A command's argument, shown beside the value if there is room for all of it: `[NAME]`. */
  readonly argument?: string;
  /** A command's description, shown beside the value, or below the list if it does not fit. */
  readonly detail?: string;
  /** Enter sends it immediately, although its name is not written in full. Otherwise Enter writes it and a space. */
  readonly isComplete?: boolean;
}

/** The completions of a query, best match first, and the selected one. */
export interface CandidateList {
  readonly query: CandidateQuery;
  readonly candidates: readonly Candidate[];
  readonly selected: number;
}
