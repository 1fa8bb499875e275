import type { SandboxMode } from "@unroll/protocol";
import type { ColorMode } from "./output/text-style.ts";

/** What the command line of `unroll exec` says. */
export interface ExecOptions {
  /** Absent or `-`: the prompt comes on stdin. */
  readonly prompt?: string;
  readonly json?: boolean;
  readonly model?: string;
  readonly profile?: string;
  readonly sandbox?: SandboxMode;
  readonly cd?: string;
  readonly addDir?: readonly string[];
  readonly image?: readonly string[];
  readonly outputLastMessage?: string;
  readonly outputSchema?: string;
  /** `key=value`, in the order given. */
  readonly config?: readonly string[];
  readonly color?: ColorMode;
  readonly waitMcp?: boolean;
  /** A person is there to be asked, as the config says; not a flag. Absent: nobody is. */
  readonly isAttended?: boolean;
  readonly skipGitRepoCheck?: boolean;
  readonly fullAuto?: boolean;
  readonly dangerouslyBypassApprovalsAndSandbox?: boolean;
}
