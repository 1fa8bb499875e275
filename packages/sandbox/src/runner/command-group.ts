import { once } from "@unroll/flow";
import type { CommandLimits, SandboxPolicy } from "@unroll/protocol";
import { type EnclosingGroup, openEnclosingGroup } from "../group/enclosing-group.ts";
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

/** The counts of the commands' own group, and of the one around it. */
interface Counts extends GroupCounts {
  readonly around: number;
}

/** `id`: see `GroupOptions`. `root` holds `proc` and `sys`, for the group around this process. */
export function createCommandGroup(policy: SandboxPolicy, id: string, root: string = "/"): CommandGroup {
  const limits = policy.mode === "danger-full-access" ? noLimits : policy.limits;
  let made: LimitedGroup | null = null;
  let enclosing: EnclosingGroup | null = null;
  let seen: Counts | null = null;
  let running = 0;
  const find = once(() => (made = openLimitedGroup({ limits, id }).group));
  const findAround = once(() => (enclosing = openEnclosingGroup(root)));

  function read(): Counts {
    const own = find()?.readCounts() ?? { killed: 0, refused: 0 };
    return { ...own, around: findAround().readKilled() };
  }

  return {
    find,
    limits() {
      const isHeld = (find()?.hold.processes ?? null) !== null;
      return isHeld ? { ...limits, maxProcesses: null } : limits;
    },
    watch() {
      // If no command runs, nothing of ours has happened since the last one ended.
      const before = running === 0 && seen !== null ? { ...seen, around: findAround().readKilled() } : read();
      running += 1;
      return () => {
        running -= 1;
        seen = read();
        return [...describeCounts(find(), before, seen), ...describeAround(findAround(), before, seen)];
      };
    },
    async close() {
      enclosing?.close();
      await made?.close();
    },
  };
}

const noLimits: CommandLimits = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };

function describeCounts(
  group: LimitedGroup | null,
  before: GroupCounts,
  { killed, refused }: GroupCounts,
): readonly string[] {
  const { memory = null, processes = null } = group?.hold ?? {};
  return [
    ...(memory !== null && killed > before.killed
      ? [
          `memory ran out, so the system ended a process of this command, or of one beside it: all commands of this thread together may have ${memory.mb} MiB ` +
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

/** The group around counts what was killed in the commands' own group, too. */
function describeAround({ memoryBytes }: EnclosingGroup, before: Counts, after: Counts): readonly string[] {
  const others = after.around - before.around - (after.killed - before.killed);
  if (memoryBytes === null || others <= 0) return [];
  const mb = Math.floor(memoryBytes / (1024 * 1024));
  return [
    `memory ran out, so the system ended a process, perhaps of this command: the container or service in which unroll runs may have ${mb} MiB, ` +
      "with unroll and everything beside it. Do it in smaller parts, or have that limit raised.",
  ];
}
