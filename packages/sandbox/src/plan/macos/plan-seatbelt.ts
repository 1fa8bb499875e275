import { quoteArgv } from "@unroll/text";
import { toHostEnvironment } from "../host-environment.ts";
import type { SeatbeltBackend } from "../sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../launch-plan.ts";
import type { PathRule } from "../../policy/path-rule.ts";
import { toSeatbeltProfile } from "./seatbelt-profile.ts";

export interface SeatbeltFacts {
  readonly rules: readonly PathRule[];
  readonly networkAccess: boolean;
  /** The port of 127.0.0.1 at which the proxy for hosts by name listens; null: the command reaches none. */
  readonly proxyPort: number | null;
}

/**
 * The launcher is a program of the system, which ignores dangerous variables. So the environment is
 * passed on unchanged.
 */
export function planSeatbelt(command: InnerCommand, facts: SeatbeltFacts, backend: SeatbeltBackend): LaunchPlan {
  const { text, parameters } = toSeatbeltProfile(facts);
  const definitions = Object.entries(parameters).map(([name, path]) => `-D${name}=${path}`);
  return {
    file: backend.file,
    args: ["-p", text, ...definitions, "--", ...command.argv],
    cwd: command.cwd,
    environment: facts.proxyPort === null ? command.environment : leadToProxy(command, String(facts.proxyPort)),
    inputs: [],
    reportsStatus: false,
    endsFirst: false,
  };
}

/** The system's nc asks a proxy for a tunnel. */
function leadToProxy({ environment }: InnerCommand, port: string): Readonly<Record<string, string>> {
  const sshOptions = quoteArgv(["-o", `ProxyCommand=/usr/bin/nc -X connect -x 127.0.0.1:${port} %h %p`]);
  return { ...environment, ...toHostEnvironment({ environment, port, sshOptions }) };
}
