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

/** The control groups around this program, and the one for its commands. */
export interface Groups {
  readonly around: GroupLimits;
  readonly own: GroupTrial;
}

/** Which of the policy's limits hold here, and which limits exist already. */
export function describeLimits({ limits }: ConfinedPolicy, backend: SandboxBackend, groups: Groups): LimitsInForce {
  if (backend.type === "seatbelt") {
    return { enforced: [], missing: ["On macOS, memory and the number of processes are not limited."] };
  }
  const { around, own } = groups;
  const { hold } = own;
  const isRoot = backend.type === "bubblewrap" ? backend.hasFreeProcesses : findOwnUser().uid === 0;
  const byItself = hold.processes === null && !isRoot ? limits.maxProcesses : null;
  const enforced = [
    "When the machine runs out of memory, commands are killed first.",
    ...describeHold(own),
    ...(byItself === null
      ? []
      : [
          `Commands can add at most about ${byItself} processes and threads to those that already run (sandbox.max_processes).`,
        ]),
    ...(limits.maxMemoryMb === null
      ? []
      : [
          `Each process has at most ${limits.maxMemoryMb} MiB of data (sandbox.max_memory_mb); there may be many processes.`,
        ]),
    ...describeAround(around),
  ];
  const missing = [
    ...(own.obstacle === null ? [] : [`No control group can limit all commands together: ${own.obstacle}.`]),
    ...(hold.memory === null && around.memoryBytes === null
      ? ["The total memory of a command's processes is not limited."]
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
          `A control group limits all commands of a thread together to ${processes} processes and threads (sandbox.max_processes).`,
        ]),
    ...(memory === null
      ? []
      : [
          `A control group limits all commands of a thread together to ${memory.mb} MiB of memory` +
            `${memory.isWithSwap ? "" : ", not counting swap"} (sandbox.max_total_memory_mb).`,
        ]),
  ];
}

function describeAround({ memoryBytes, processes }: GroupLimits): readonly string[] {
  return [
    ...(memoryBytes === null
      ? []
      : [`unroll's own control group limits it and its commands to ${toMebibytes(memoryBytes)} MiB.`]),
    ...(processes === null
      ? []
      : [`unroll's own control group limits it and its commands to ${processes} processes and threads.`]),
  ];
}

function explainProcesses(maxProcesses: number | null): readonly string[] {
  return maxProcesses === null
    ? ["The number of processes is not limited."]
    : ["sandbox.max_processes has no effect: the system does not limit root."];
}

function toMebibytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
