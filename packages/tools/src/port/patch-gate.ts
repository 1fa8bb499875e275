import type { FileChangeThreadItem } from "@unroll/protocol";

/** A patch that is known to fit its files, before any of them is written. */
export interface PatchRequest {
  /** Absolute; what the relative paths of the patch mean. */
  readonly cwd: string;
  /** Absolute paths; the two ends of a move are a `delete` and an `add`. */
  readonly changes: FileChangeThreadItem["changes"];
}

export type PatchVerdict =
  | { readonly type: "apply" }
  /** `message` goes to the model: which rule or who said no, and what to do instead. */
  | { readonly type: "declined"; readonly message: string };

/** Decides whether files are written: those outside the writable roots need approval. Implemented by `harness`. */
export interface PatchGate {
  judge(request: PatchRequest, signal: AbortSignal): Promise<PatchVerdict>;
}
