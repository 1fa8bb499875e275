import { readFileSync } from "node:fs";
import { requireShell } from "@unroll/process-tree";
import type { CommandLimits } from "@unroll/protocol";
import type { LaunchPlan } from "../launch-plan.ts";

/**
 * The same launch by a shell that first takes on the limits; whatever it starts inherits them, and cannot lift them. The
 * shell reads no file and has the launcher's own environment. A limit that is lower already stays. Where there is nothing to
 * take on there is no shell: it costs a fifth of a bare spawn.
 */
export function limitLaunch(plan: LaunchPlan, { maxProcesses, maxMemoryMb }: CommandLimits): LaunchPlan {
  const script = [
    // The option's name is not the same in all shells.
    ...(maxProcesses === null ? [] : eitherWay(["u", "p"], countTasks() + maxProcesses)),
    ...(maxMemoryMb === null ? [] : [`ulimit -d ${maxMemoryMb * 1024}`]),
  ];
  if (script.length === 0) return plan;
  const launch = `{ ${script.join("; ")}; } 2>/dev/null; exec "$0" "$@"`;
  return { ...plan, file: requireShell(), args: ["-c", launch, plan.file, ...plan.args] };
}

function eitherWay(options: readonly string[], value: number): readonly string[] {
  return [options.map((option) => `ulimit -${option} ${value}`).join(" || ")];
}

/**
 * Processes and threads of the whole machine. The kernel holds a limit against all that the user runs, other sandboxes
 * and containers included; this is at least that, at the price of one small read.
 */
function countTasks(): number {
  const [, tasks = "0"] = /\/(\d+) /.exec(readFileSync("/proc/loadavg", "utf8")) ?? [];
  return Number(tasks);
}
