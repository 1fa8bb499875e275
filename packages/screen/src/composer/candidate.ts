/** A word that may be completed: `@` and a path anywhere, `/` and a command at the start. */
export interface CandidateQuery {
  readonly kind: "file" | "command";
  /** What is written behind the sign. */
  readonly query: string;
  /** Offset of the sign. */
  readonly start: number;
}

/** One of the completions. */
export interface Candidate {
  /** What is written in the place of the word, without the sign: `src/main.ts`, `model`. */
  readonly value: string;
  /** What it is, beside it: a command's description. */
  readonly detail?: string;
  /** Enter sends it at once (a command without arguments); otherwise it writes it and a space. */
  readonly isComplete?: boolean;
}

/** The completions of a query, the best first, and which is chosen. */
export interface CandidateList {
  readonly query: CandidateQuery;
  readonly candidates: readonly Candidate[];
  readonly selected: number;
}
