import type { FileChangeThreadItem } from "../event/thread-item.ts";

/** What a person is asked before something runs or is written. Data for a dialogue; nothing in it is a credential. */
export type ApprovalRequest = CommandApprovalRequest | PatchApprovalRequest;

export interface CommandApprovalRequest {
  readonly type: "command.approval";
  /** As a shell would take it. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Which rule, mode or finding asks; for a label. */
  readonly askedBy: string;
  /** Whole sentences: why it is asked. */
  readonly reason: string;
  /** The model's reason; null where it gave none. */
  readonly justification: string | null;
  /** Whether a yes lets it run outside the sandbox. */
  readonly isUnconfined: boolean;
  /** What "always" would allow, to be edited; null where no rule would end the question. */
  readonly proposedPrefix: readonly string[] | null;
  /** What else that would allow, in sentences; null without `proposedPrefix`. */
  readonly alsoAllows: string | null;
}

export interface PatchApprovalRequest {
  readonly type: "patch.approval";
  readonly changes: FileChangeThreadItem["changes"];
  /** The files that the sandbox would not let a command write; absolute. */
  readonly outsideWritableRoots: readonly string[];
  readonly askedBy: string;
  readonly reason: string;
}

export type ApprovalDecision =
  | { readonly type: "approved.once" }
  /** The same command in the same folder, or the same files, need no question for the rest of the thread. */
  | { readonly type: "approved.session" }
  /** A rule for this prefix is written; commands only. */
  | { readonly type: "approved.always"; readonly prefix: readonly string[] }
  /** `reason` goes to the model: what to do instead; null where the person said nothing. */
  | { readonly type: "denied"; readonly reason: string | null };
