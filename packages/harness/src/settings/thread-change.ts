import type { ResolvedConfig } from "@unroll/config";
import type { SandboxMode } from "@unroll/protocol";

/**
 * What can change within a thread. Absent: it stays, but `approvalQuestions`, which belong to the policy that they were set with: with another
 * `approvalPolicy` and without new ones there are none. The model is told of what concerns it; nothing that was sent changes.
 */
export type ThreadChange = Partial<
  Pick<
    ResolvedConfig,
    | "cwd"
    | "approvalPolicy"
    | "approvalQuestions"
    | "sandboxSettings"
    | "reasoningEffort"
    | "reasoningSummary"
    | "verbosity"
  >
>;

/** The same as a program writes it. */
export interface ThreadChangeOptions extends ThreadChange {
  /** How far commands may reach, with the other settings of the sandbox as they are. Goes before the mode of `sandboxSettings`. */
  readonly sandboxMode?: SandboxMode;
}
