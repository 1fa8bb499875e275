import { findOwnUser } from "@unroll/process-tree";
import type { ConfinedPolicy } from "@unroll/protocol";
import type { GroupLimits } from "../group/read-group-limits.ts";
import type { GroupTrial } from "../group/try-group.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";

/** Sentences. */
interface LimitsInForce {
  readonly enforced: readonly string[];
  readonly missing: readonly string[];
}

/** The control groups around this program, and the one that its commands would be in. */
export interface Groups {
  readonly around: GroupLimits;
  readonly own: GroupTrial;
}

/** Which of the policy's limits hold here, and which others hold already. */
export function describeLimits({ limits }: ConfinedPolicy, backend: SandboxBackend, groups: Groups): LimitsInForce {
  if (backend.type === "seatbelt") {
    return { enforced: [], missing: ["There are no limits on memory and number of processes on macOS."] };
  }
  const { around, own } = groups;
  const { hold } = own;
  const isRoot = backend.type === "bubblewrap" ? backend.hasFreeProcesses : findOwnUser().uid === 0;
  const byItself = hold.processes === null && !isRoot ? limits.maxProcesses : null;
  const enforced = [
    "When the machine runs out of memory, commands are ended before anything else.",
    ...describeHold(own),
    ...(byItself === null
      ? []
      : [`Commands add at most about ${byItself} processes and threads to those that run (sandbox.max_processes).`]),
    ...(limits.maxMemoryMb === null
      ? []
      : [`A process has at most ${limits.maxMemoryMb} MiB of data (sandbox.max_memory_mb); there may be many.`]),
    ...describeAround(around),
  ];
  const missing = [
    ...(own.obstacle === null
      ? []
      : [`The limits have no control group to hold all commands together: ${own.obstacle}.`]),
    ...(hold.memory === null && around.memoryBytes === null
      ? ["There is no limit on the memory that all processes of a command take."]
      : []),
    ...(hold.processes === null && byItself === null && around.processes === null
      ? explainProcesses(limits.maxProcesses)
      : []),
  ];
  return { enforced, missing };
}

function describeHold({ hold: { processes, memory } }: GroupTrial): readonly string[] {
  return [
    ...(processes === null
      ? []
      : [
          `All commands of a thread together have at most ${processes} processes and threads, by a control group (sandbox.max_processes).`,
        ]),
    ...(memory === null
      ? []
      : [
          `All commands of a thread together have at most ${memory.mb} MiB of memory${memory.isWithSwap ? "" : ", and swap besides"}, ` +
            "by a control group (sandbox.max_total_memory_mb).",
        ]),
  ];
}

function describeAround({ memoryBytes, processes }: GroupLimits): readonly string[] {
  return [
    ...(memoryBytes === null
      ? []
      : [`The control group of this program holds it and its commands to ${toMebibytes(memoryBytes)} MiB.`]),
    ...(processes === null
      ? []
      : [`The control group of this program holds it and its commands to ${processes} processes and threads.`]),
  ];
}

function explainProcesses(maxProcesses: number | null): readonly string[] {
  return maxProcesses === null
    ? ["There is no limit on the number of processes."]
    : ["sandbox.max_processes has no effect: the system does not hold root to it."];
}

function toMebibytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
