import { type Host, openSandbox, type ResolvedConfig } from "@unroll/harness";
import { sandboxRemedies } from "@unroll/report";

/** Says before the first request that commands run in the weaker sandbox or in none. Null: they run in the full one, or nothing allows less. */
export async function describeWeakSandbox(config: ResolvedConfig, host: Host): Promise<string | null> {
  const { mode, allowWeaker } = config.sandboxSettings;
  if (mode === "danger-full-access")
    return "Commands run without a sandbox (danger-full-access): they can do everything that you can.";
  if (!allowWeaker) return null;
  await using sandbox = await openSandbox(config, host);
  const { backend, doesNotEnforce, refusal } = await sandbox.explain();
  if (refusal !== null) return `Commands cannot run here: ${refusal} ${sandboxRemedies}`;
  if (backend !== "landlock") return null;
  return `Commands run in the weaker sandbox (sandbox.allow_weaker). ${doesNotEnforce.join(" ")} ${sandboxRemedies}`;
}
