import type { ConfinedPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import type { GroupLimits } from "./read-group-limits.ts";
import { ownUserId } from "../files/own-user-id.ts";

/** Sentences. */
interface LimitsInForce {
  readonly enforced: readonly string[];
  readonly missing: readonly string[];
}

/** Which of the policy's limits hold here, and which others hold already. */
export function describeLimits({ limits }: ConfinedPolicy, backend: SandboxBackend, group: GroupLimits): LimitsInForce {
  if (backend.type === "seatbelt") {
    return { enforced: [], missing: ["There are no limits on memory and number of processes on macOS."] };
  }
  const { maxProcesses, maxMemoryMb } = limits;
  const isRoot = backend.type === "bubblewrap" ? backend.hasFreeProcesses : ownUserId() === 0;
  const enforced = [
    "When the machine runs out of memory, commands are ended before anything else.",
    ...(maxProcesses === null || isRoot
      ? []
      : [
          `Commands add at most about ${maxProcesses} processes and threads to those that run (sandbox.max_processes).`,
        ]),
    ...(maxMemoryMb === null
      ? []
      : [`A process has at most ${maxMemoryMb} MiB of data (sandbox.max_memory_mb); there may be many.`]),
    ...(group.memoryBytes === null
      ? []
      : [`The control group of this program holds it and its commands to ${toMebibytes(group.memoryBytes)} MiB.`]),
    ...(group.processes === null
      ? []
      : [`The control group of this program holds it and its commands to ${group.processes} processes and threads.`]),
  ];
  const missing = [
    ...(group.memoryBytes === null ? ["There is no limit on the memory that all processes of a command take."] : []),
    ...(group.processes === null ? explainProcesses(maxProcesses, isRoot) : []),
  ];
  return { enforced, missing };
}

function explainProcesses(maxProcesses: number | null, isRoot: boolean): readonly string[] {
  if (maxProcesses === null) return ["There is no limit on the number of processes."];
  return isRoot ? ["sandbox.max_processes has no effect: the system does not hold root to it."] : [];
}

function toMebibytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
