import type { Thread } from "@unroll/harness";

/** A line about the sandbox for before the first request. */
export interface SandboxNotice {
  readonly text: string;
  /** Why no command can run; null: they can. */
  readonly refusal: string | null;
}

/** Says that commands cannot run, or run in the weaker sandbox or in none. Null: they run in the full one. */
export async function describeWeakSandbox(sandbox: Thread["sandbox"]): Promise<SandboxNotice | null> {
  switch ((await sandbox.report()).backend) {
    case "none": {
      const text = "Commands run without a sandbox (danger-full-access): they can do everything that you can.";
      return { text, refusal: null };
    }
    case "unavailable":
    case "landlock": {
      const { doesNotEnforce, remedy, refusal } = await sandbox.explain();
      if (refusal !== null) return { text: `Commands cannot run here: ${refusal}`, refusal };
      const words = ["Commands run in the weaker sandbox (sandbox.allow_weaker).", ...doesNotEnforce, remedy ?? ""];
      return { text: words.join(" ").trimEnd(), refusal: null };
    }
    case "bubblewrap":
    case "seatbelt":
      return null;
  }
}
