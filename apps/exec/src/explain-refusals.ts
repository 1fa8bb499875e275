import type { ResolvedConfig } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import { createRefusalWatch, type EditRefusal } from "@unroll/view";

interface RefusingThread {
  readonly config: Pick<ResolvedConfig, "sandboxSettings" | "approvalPolicy">;
  readonly isPlanning: boolean;
}

/** Returns a function that takes the events of a run, and returns a sentence on how to let the model edit, once it was refused. Null: nothing to say. */
export function createRefusalNotices(): (event: ThreadEvent, thread: RefusingThread) => string | null {
  const watch = createRefusalWatch();
  return (event, { config: { sandboxSettings, approvalPolicy }, isPlanning }) => {
    const { mode } = sandboxSettings;
    const refusal = watch.see(event, { sandboxMode: mode, approvalPolicy, isPlanning });
    return refusal === null ? null : explainRefusal(refusal, mode === "read-only");
  };
}

function explainRefusal(refusal: EditRefusal, isReadOnly: boolean): string {
  const edit = "--sandbox workspace-write (or sandbox_mode in config.toml)";
  if (refusal === "read_only")
    return `This thread is read-only, so the model could not write. ${edit} lets it edit in the working folder.`;
  const more = isReadOnly ? `, and ${edit}` : "";
  return `The approval policy untrusted asks before each edit, and exec asks nobody. Use -a on-request (or approval_policy in config.toml)${more} to let the model edit in the working folder.`;
}
