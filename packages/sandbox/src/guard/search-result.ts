/** The result of searching a tree of folders. */
export interface SearchResult {
  /** The folders that git may take for the top of a repository, or for a repository itself. */
  readonly candidates: readonly string[];
  /** How many folders were looked at. */
  readonly count: number;
  /** No folder was added, removed or changed since the last search, so none was moved out of its way. */
  readonly isCalm: boolean;
  /** The number of folders stayed within the limit. */
  readonly isWhole: boolean;
}
