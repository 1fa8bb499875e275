import { openSandbox } from "@unroll/harness";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./doctor-run.ts";

/** Builds the walls once around a harmless command, and says what they hold. */
export async function checkSandbox({ config, host }: ConfiguredRun): Promise<readonly Finding[]> {
  await using sandbox = await openSandbox(config, host);
  const { mode } = sandbox.policy;
  const warnings = sandbox.warnings.map((warning) => toFinding("sandbox", "warning", warning));
  if (mode === "danger-full-access") {
    return [toFinding("sandbox", "warning", `${mode}: no walls, commands do whatever you can do.`), ...warnings];
  }
  const { backend, enforces, refusal } = await sandbox.explain();
  return [toSandboxFinding(), ...warnings];

  function toSandboxFinding(): Finding {
    if (refusal !== null) return toFinding("sandbox", "failed", `Commands of the model would be refused: ${refusal}`);
    const message = `${mode}, by ${backend}. ${enforces.join(" ")}`;
    if (backend !== "landlock") return toFinding("sandbox", "ok", message);
    const remedy = "Install bubblewrap for all of it; unroll sandbox --explain says what is missing.";
    return { ...toFinding("sandbox", "warning", `${message} It is the weaker sandbox, which was allowed.`), remedy };
  }
}
