import { join } from "node:path";
import { quoteWord } from "@unroll/text";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import { requireShell } from "../program/find-system-program.ts";
import { isProgram } from "../spawn/spawn-failure.ts";
import { type ControlGroup, membersFile } from "./control-group.ts";

/**
 * Starts the launch through a shell that first moves itself into the group. If it cannot, it runs
 * nothing and exits with code 125 and the reason. A program that cannot be started reports that
 * itself.
 */
export function joinGroup(launch: ProcessLaunch, { folders }: ControlGroup): ProcessLaunch {
  const { file, args, environment } = launch;
  if (!isProgram(file, environment["PATH"] ?? "")) return launch;
  const moves = folders.map((folder) => `echo 0 >${quoteWord(join(folder, membersFile))}`).join(" && ");
  const script = `{ ${moves}; } 2>/dev/null || { echo ${quoteWord(cannotJoin)} >&2; exit 125; }; exec "$0" "$@"`;
  return { ...launch, file: requireShell(), args: ["-c", script, file, ...args] };
}

const cannotJoin =
  "unroll: the command was not run: its control group, which holds it to its limits, is gone or closed";
