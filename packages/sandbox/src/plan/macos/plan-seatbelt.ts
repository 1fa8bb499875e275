import type { SeatbeltBackend } from "../sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../launch-plan.ts";
import type { PathRule } from "../../policy/path-rule.ts";
import { toSeatbeltProfile } from "./seatbelt-profile.ts";

export interface SeatbeltFacts {
  readonly rules: readonly PathRule[];
  readonly networkAccess: boolean;
}

/**
 * The launcher is a program of the system, which ignores dangerous variables. So the environment is
 * passed on unchanged.
 */
export function planSeatbelt(command: InnerCommand, facts: SeatbeltFacts, backend: SeatbeltBackend): LaunchPlan {
  const { text, parameters } = toSeatbeltProfile(facts.rules, facts.networkAccess);
  const definitions = Object.entries(parameters).map(([name, path]) => `-D${name}=${path}`);
  return {
    file: backend.file,
    args: ["-p", text, ...definitions, "--", ...command.argv],
    cwd: command.cwd,
    environment: command.environment,
    inputs: [],
    reportsStatus: false,
    endsFirst: false,
  };
}
