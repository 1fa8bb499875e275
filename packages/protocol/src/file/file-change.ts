/** `path` is absolute; a move is one change, under its new path. */
export interface FileChange {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
}
