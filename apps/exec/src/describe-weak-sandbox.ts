import type { Thread } from "@unroll/harness";

/** A line about the sandbox for before the first request. */
export interface SandboxNotice {
  readonly text: string;
  /** Why no command can run; null: they can. */
  readonly refusal: string | null;
}

/** Says that commands cannot run, or run in the weaker sandbox or in none. Null: they run in the full one. */
export async function describeWeakSandbox(sandbox: Thread["sandbox"]): Promise<SandboxNotice | null> {
  const refusal = await sandbox.findRefusal();
  if (refusal !== null) return { text: `Commands cannot run here: ${refusal}`, refusal };
  switch ((await sandbox.report()).backend) {
    case "none": {
      const text = "Commands run without a sandbox (danger-full-access): they can do everything that you can.";
      return { text, refusal: null };
    }
    case "landlock": {
      const { doesNotEnforce, remedy } = await sandbox.explain();
      const words = ["Commands run in the weaker sandbox (sandbox.allow_weaker).", ...doesNotEnforce, remedy ?? ""];
      return { text: words.join(" ").trimEnd(), refusal: null };
    }
    case "unavailable": // it has a refusal
    case "bubblewrap":
    case "seatbelt":
      return null;
  }
}
