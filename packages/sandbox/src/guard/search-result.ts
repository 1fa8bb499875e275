/** What a search of a tree of folders came to. */
export interface SearchResult {
  /** The folders that git may take for the top of a repository, or for a repository itself. */
  readonly candidates: readonly string[];
  /** How many folders were looked at. */
  readonly count: number;
  /** No folder came, went or changed since the search before: so none was moved out of the way of this one. */
  readonly isCalm: boolean;
  /** There were not more folders than are looked at. */
  readonly isWhole: boolean;
}
