/** A word that may be completed: `@` and a path anywhere, `/` and a command at the start, or the argument of that command. */
export type CandidateQuery = {
  /** The text after the sign; of an argument, all that is typed of it. */
  readonly query: string;
  /** Offset of the sign, or of the argument. */
  readonly start: number;
} & (
  | { readonly kind: "file" | "command" }
  /** `command`: its name, without the slash. */
  | { readonly kind: "argument"; readonly command: string }
);

/** One of the completions. */
export interface Candidate {
  /** The text that replaces the word, without the sign: `src/main.ts`, `model`. One that ends with `/`, `=` or a blank is continued. */
  readonly value: string;
  /** Shown in place of the value. */
  readonly label?: string;
  /** A command's argument, shown beside the value if there is room for all of it: `[NAME]`. */
  readonly argument?: string;
  /** A description, shown beside the value, or below the list if it does not fit. */
  readonly detail?: string;
  /** Enter sends it immediately, although its name is not written in full. Otherwise Enter writes it and a space. */
  readonly isComplete?: boolean;
  /** The word may also be something else: Enter sends it as it is, unless you selected a candidate. */
  readonly isOptional?: boolean;
}

/** The completions of a query, best match first. */
export interface CandidateList {
  readonly query: CandidateQuery;
  readonly candidates: readonly Candidate[];
  /** Null: none. Enter then sends what is written. */
  readonly selected: number | null;
}
