import { readFileSync } from "node:fs";
import { requireShell } from "@unroll/process-tree";
import type { CommandLimits } from "@unroll/protocol";
import type { LaunchPlan } from "../launch-plan.ts";

/**
 * Starts the launch through a shell that first sets the limits. Everything it starts inherits them
 * and cannot lift them. The shell reads no file and has the launcher's own environment. A lower
 * limit stays. Without limits there is no shell: it costs a fifth of a bare spawn.
 */
export function limitLaunch(plan: LaunchPlan, { maxProcesses, maxMemoryMb }: CommandLimits): LaunchPlan {
  const script = [
    // Shells use different names for this option.
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
 * The number of processes and threads of the whole machine. The kernel applies a limit to
 * everything that the user runs, including other sandboxes and containers. This number is at least
 * that large, and costs one small read.
 */
function countTasks(): number {
  const [, tasks = "0"] = /\/(\d+) /.exec(readFileSync("/proc/loadavg", "utf8")) ?? [];
  return Number(tasks);
}
