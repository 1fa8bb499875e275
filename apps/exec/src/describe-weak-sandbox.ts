import { type Host, openSandbox, type ResolvedConfig } from "@unroll/harness";

/** Says before the first request that commands cannot run, or run in the weaker sandbox or in none. Null: they run in the full one. */
export async function describeWeakSandbox(config: ResolvedConfig, host: Host): Promise<string | null> {
  await using sandbox = await openSandbox(config, host);
  switch (await sandbox.findBackend()) {
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
