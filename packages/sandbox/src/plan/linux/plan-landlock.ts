import type { LandlockBackend } from "../sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../launch-plan.ts";
import { limitLaunch } from "./limit-launch.ts";
import { landlockProgram } from "./landlock-program.ts";
import type { ConfinementFacts } from "./plan-bubblewrap.ts";
import { createSeccompProgram } from "./seccomp-program.ts";

/** Landlock only knows what is allowed, so only the rules for writable paths count. */
export function planLandlock(command: InnerCommand, facts: ConfinementFacts, backend: LandlockBackend): LaunchPlan {
  const writable = facts.rules.filter(({ type }) => type === "writable").map(({ path }) => path);
  const environment = Object.entries(command.environment).map(([name, value]) => `${name}=${value}\0`);
  const plan = {
    file: backend.file,
    args: ["-e", landlockProgram, "--", backend.architecture, ...writable, "--", ...command.argv],
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
