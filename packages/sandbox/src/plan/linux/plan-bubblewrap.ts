import { type PathMemory, toNative } from "@unroll/files";
import type { ProgramFile } from "@unroll/process-tree";
import type { CommandLimits } from "@unroll/protocol";
import type { BubblewrapBackend } from "../sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../launch-plan.ts";
import type { PathRule } from "../../policy/path-rule.ts";
import { toBubblewrapArguments } from "./bubblewrap-arguments.ts";
import { findRuntimeFolders } from "./runtime-folders.ts";
import { planDoor } from "./plan-door.ts";
import { limitLaunch } from "./limit-launch.ts";
import { createSeccompProgram } from "./seccomp-program.ts";

export interface ConfinementFacts {
  /** Remembers the machine's own folders. */
  readonly paths: Pick<PathMemory, "look">;
  /** In the order of `orderRules`. */
  readonly rules: readonly PathRule[];
  readonly networkAccess: boolean;
  /** The Perl that leads the command to the hosts that it may reach; null: it reaches none by name. */
  readonly hostLauncher: ProgramFile | null;
  readonly limits: CommandLimits;
  /** Another user owns a folder that root's commands may write. */
  readonly hasForeignRoot: boolean;
}

/**
 * In a user namespace, root has no power over other users' files. Outside, it keeps exactly these
 * capabilities.
 */
const fileCapabilities = ["CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER"] as const;

const argumentsFd = 3;
const seccompDescriptor = 4;
const copiesDescriptor = 5;

/** The options go through a descriptor: other users must not see the environment, and it may be long. */
export function planBubblewrap(command: InnerCommand, facts: ConfinementFacts, backend: BubblewrapBackend): LaunchPlan {
  const keepsRoot = backend.isRoot && facts.hasForeignRoot && backend.withoutUserNamespace;
  const copies = facts.rules.flatMap((rule) => (rule.type === "shown-copy" ? [rule.bytes] : []));
  const door = facts.hostLauncher === null ? null : planDoor(command, facts.hostLauncher, backend);
  const statusFd = copiesDescriptor + copies.length;
  const options = toBubblewrapArguments({
    ...facts,
    ...command,
    environment: door?.environment ?? command.environment,
    // An open network includes the local sockets. If everything is writable, there is nothing to
    // hide.
    runtimeFolders:
      facts.networkAccess || isAllWritable(facts.rules) ? [] : facts.paths.look(() => findRuntimeFolders(command)),
    userNamespace: backend.withUserNamespace && !keepsRoot,
    hasOwnProc: backend.hasOwnProc,
    capabilities: keepsRoot ? fileCapabilities : [],
    seccompFd: seccompDescriptor,
    copiesFd: copiesDescriptor,
    statusFd,
  });
  const plan = {
    file: backend.file,
    args: ["--args", String(argumentsFd), "--", ...(door?.toArgv(statusFd + 1) ?? command.argv)],
    cwd: "/",
    environment: {},
    inputs: [
      Buffer.from(toNative(options.map((option) => `${option}\0`).join(""))),
      createSeccompProgram({
        architecture: backend.architecture,
        sockets: facts.networkAccess ? "any" : "internet",
      }),
      ...copies,
    ],
    reportsStatus: true,
    endsFirst: true,
  };
  return limitLaunch(plan, backend.hasFreeProcesses ? { ...facts.limits, maxProcesses: null } : facts.limits);
}

function isAllWritable(rules: readonly PathRule[]): boolean {
  return rules.some(({ type, path }) => type === "writable" && path === "/");
}
