import type { FilePermissions, PatchFileStat } from "./patch-files.ts";

/** The complete effect of a patch, before anything is done. Pass it to `commitPlan`. */
export interface PatchPlan {
  readonly type: "patch.planned";
  /** One for each file that comes out different, for people and events; a move is one change. */
  readonly changes: readonly PlannedChange[];
  /** One for each file to write or remove, by its real path. */
  readonly writes: readonly PlannedWrite[];
  /** Real paths among `writes` that `isWritable` refused: they need an approval. */
  readonly outsideWritableRoots: readonly string[];
  /** The folders of `writes`, and those to make, parents first. */
  readonly folders: readonly PlannedFolder[];
}

/** Paths as the patch writes them. */
export interface PlannedChange {
  readonly kind: "add" | "update" | "delete";
  /** Where the file is afterwards, or was. */
  readonly path: string;
  /** Where it was before, for a move; else null. */
  readonly movedFrom: string | null;
}

/** A folder that the plan writes in. */
export interface PlannedFolder {
  readonly realPath: string;
  /** Identifies the folder that the plan was made for; null: it must be created. */
  readonly identity: string | null;
}

/** One file of the plan: what was there, and what will be. */
export interface PlannedWrite {
  /** As the patch writes it. */
  readonly path: string;
  /** The real path of `name` in `folder`. */
  readonly realPath: string;
  /** The real path of one of the plan's folders. */
  readonly folder: string;
  readonly name: string;
  /** The file that the plan was made for; null: there was none. */
  readonly before: PatchFileStat | null;
  /** The new content of the file; null: it is removed. */
  readonly bytes: Uint8Array | null;
  /** The permissions of the file that it replaces; null: a new one. */
  readonly permissions: FilePermissions | null;
}
