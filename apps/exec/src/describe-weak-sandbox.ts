import type { Thread } from "@unroll/harness";

/** Says before the first request that commands cannot run, or run in the weaker sandbox or in none. Null: they run in the full one. */
export async function describeWeakSandbox(sandbox: Thread["sandbox"]): Promise<string | null> {
  switch ((await sandbox.report()).backend) {
    case "none":
      return "Commands run without a sandbox (danger-full-access): they can do everything that you can.";
    case "unavailable":
      return `Commands cannot run here: ${(await sandbox.explain()).refusal ?? ""}`;
    case "landlock": {
      const { doesNotEnforce, remedy } = await sandbox.explain();
      const words = ["Commands run in the weaker sandbox (sandbox.allow_weaker).", ...doesNotEnforce, remedy ?? ""];
      return words.join(" ").trimEnd();
    }
    case "bubblewrap":
    case "seatbelt":
      return null;
  }
}
