/** `path` is absolute; a move is one change, under its new path. */
export interface FileChange {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  /** Where it was before, absolute; absent where it did not move. */
  readonly moved_from?: string;
}
