import { once } from "@unroll/flow";
import type { CommandLimits, SandboxPolicy } from "@unroll/protocol";
import { type GroupCounts, type LimitedGroup, openLimitedGroup } from "../group/limited-group.ts";

/** The control group of all commands of a runner. */
export interface CommandGroup {
  /** Creates it at the first call; null: there is none. */
  readonly find: () => LimitedGroup | null;
  /** The limits that remain for each command itself. */
  readonly limits: () => CommandLimits;
  /**
   * Call it when a command begins, and call its result once when the command has ended. The result
   * is sentences about how limits affected commands in between.
   */
  readonly watch: () => () => readonly string[];
  readonly close: () => Promise<void>;
}

/** `id`: see `GroupOptions`. */
export function createCommandGroup(policy: SandboxPolicy, id: string): CommandGroup {
  const limits = policy.mode === "danger-full-access" ? noLimits : policy.limits;
  let made: LimitedGroup | null = null;
  let seen: GroupCounts = { killed: 0, refused: 0 };
  let running = 0;
  const find = once(() => (made = openLimitedGroup({ limits, id }).group));

  return {
    find,
    limits() {
      const isHeld = (find()?.hold.processes ?? null) !== null;
      return isHeld ? { ...limits, maxProcesses: null } : limits;
    },
    watch() {
      const group = find();
      if (group === null) return () => [];
      // If no command runs, nothing has happened since the last one ended.
      const before = running === 0 ? seen : group.readCounts();
      running += 1;
      return () => {
        running -= 1;
        seen = group.readCounts();
        return describeCounts(group, before, seen);
      };
    },
    close: async () => made?.close(),
  };
}

const noLimits: CommandLimits = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };

function describeCounts(
  { hold: { memory, processes } }: LimitedGroup,
  before: GroupCounts,
  { killed, refused }: GroupCounts,
): readonly string[] {
  return [
    ...(memory !== null && killed > before.killed
      ? [
          `for want of memory the system ended a process of this command, or of one beside it: all commands of this thread together may have ${memory.mb} MiB ` +
            "(sandbox.max_total_memory_mb), with the files that they keep in memory, such as those in /dev/shm. Do it in smaller parts.",
        ]
      : []),
    ...(processes !== null && refused > before.refused
      ? [
          `a process of this command, or of one beside it, could not be started: all commands of this thread together may have ${processes} processes and threads ` +
            "(sandbox.max_processes). Start fewer at a time, or end what is not needed.",
        ]
      : []),
  ];
}
