import type { FileChangeThreadItem } from "@unroll/protocol";

/** A patch that is known to fit its files, before any of them is written. */
export interface PatchRequest {
  /** As in events: absolute paths; a move is one change, under its new path. */
  readonly changes: FileChangeThreadItem["changes"];
  /** Of the files that would be written or removed, those that `isWritable` refused: with every link followed. */
  readonly outsideWritableRoots: readonly string[];
}

export type PatchVerdict =
  | { readonly type: "apply" }
  /** `message` goes to the model: which rule or who said no, and what to do instead. */
  | { readonly type: "declined"; readonly message: string };

/** Decides which files a patch may touch, asking a person where the policy says so. Implemented by `harness`. */
export interface PatchGate {
  /** Whether a file may be written without asking. `realPath` is absolute, with every symbolic link followed. */
  isWritable(realPath: string): boolean;
  /** Whether a file's text may be shown to the model. Takes the same kind of path. */
  isReadable(realPath: string): boolean;
  /** Called for every patch, also for one that stays inside the writable roots. */
  judge(request: PatchRequest, signal: AbortSignal): Promise<PatchVerdict>;
}
