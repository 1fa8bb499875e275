/** What a patch does, worked out in full and nothing of it done. Given to `commitPlan`. */
export interface PatchPlan {
  readonly type: "patch.planned";
  /** One for each file that comes out different, for people and events; a move is one change. */
  readonly changes: readonly FileChange[];
  /** One for each file to write or remove, by its real path. */
  readonly writes: readonly PlannedWrite[];
  /** Real paths among `writes` that `isWritable` refused: they need an approval. */
  readonly outsideWritableRoots: readonly string[];
  /** Real paths of folders to make, parents first. */
  readonly newFolders: readonly string[];
}

/** Paths as the patch writes them. */
export interface FileChange {
  readonly kind: "add" | "update" | "delete";
  /** Where the file is afterwards, or was. */
  readonly path: string;
  /** Where it was before, for a move; else null. */
  readonly movedFrom: string | null;
}

export interface PlannedWrite {
  /** As the patch writes it. */
  readonly path: string;
  readonly realPath: string;
  /** The version of the file that the plan was made on; null when there is none yet. */
  readonly version: string | null;
  /** What the file will hold; null: it is removed. */
  readonly bytes: Uint8Array | null;
  /** The file whose mode it takes; null for a new one. */
  readonly like: string | null;
}
