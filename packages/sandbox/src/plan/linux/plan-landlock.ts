import type { LandlockBackend } from "../sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../launch-plan.ts";
import { limitLaunch } from "./limit-launch.ts";
import { landlockProgram } from "./landlock-program.ts";
import type { ConfinementFacts } from "./plan-bubblewrap.ts";
import { createSeccompProgram } from "./seccomp-program.ts";

/**
 * The bit of CAP_DAC_OVERRIDE: what root needs to write files of another user. With CAP_CHOWN or CAP_FOWNER, commands
 * would change files outside, too, because Landlock does not judge that.
 */
const overridesModes = 1 << 1;

/** Landlock only knows what is allowed, so only the rules for writable paths count. */
export function planLandlock(command: InnerCommand, facts: ConfinementFacts, backend: LandlockBackend): LaunchPlan {
  const writable = facts.rules.filter(({ type }) => type === "writable").map(({ path }) => path);
  const kept = facts.hasForeignRoot ? overridesModes : 0;
  const environment = Object.entries(command.environment).map(([name, value]) => `${name}=${value}\0`);
  const plan = {
    file: backend.file,
    args: ["-e", landlockProgram, "--", backend.architecture, String(kept), ...writable, "--", ...command.argv],
    cwd: command.cwd,
    environment: {},
    inputs: [
      createSeccompProgram({ architecture: backend.architecture, sockets: facts.networkAccess ? "any" : "none" }),
      Buffer.from(environment.join("")),
    ],
    reportsStatus: false,
    endsFirst: true,
  };
  return limitLaunch(plan, facts.limits);
}
