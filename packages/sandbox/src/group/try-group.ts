import { drain } from "@unroll/flow";
import { createWatchdog, requireShell, startProcess } from "@unroll/process-tree";
import { type GroupOptions, openLimitedGroup } from "./limited-group.ts";
import type { GroupHold } from "./make-group.ts";

/** The limits that all commands together would get. */
export interface GroupTrial {
  readonly hold: GroupHold;
  /** See `GroupFinding`. */
  readonly obstacle: string | null;
}

const trialLimitMs = 10_000;

/** Creates a group, puts a process into it, and removes it: the only way to know whether that works. */
export async function tryGroup(options: GroupOptions): Promise<GroupTrial> {
  const { group, obstacle } = openLimitedGroup(options);
  if (group === null) return { hold: noHold, obstacle };
  const watchdog = createWatchdog(`${options.id}.`, 0, { group: () => group });
  try {
    const failure = await tryOut(watchdog, options.id);
    return failure === null ? { hold: group.hold, obstacle } : { hold: noHold, obstacle: failure };
  } finally {
    await watchdog.close();
    await group.close();
  }
}

const noHold: GroupHold = { processes: null, memory: null };

async function tryOut(watchdog: ReturnType<typeof createWatchdog>, id: string): Promise<string | null> {
  const start = await startProcess(
    {
      file: requireShell(),
      args: ["-c", ":"],
      cwd: "/",
      environment: {},
      inputs: [],
      reportsStatus: false,
      marker: `${id}.1`,
    },
    { type: "output" },
    {
      timeoutMs: trialLimitMs,
      maxOutputBytes: 1_000,
      signal: new AbortController().signal,
      elapsed: () => 0,
      watchdog,
      stateFolder: "/",
    },
  );
  if (start.type === "failed") return start.message;
  const { exit, output } = await drain(start.process.output);
  return exit?.exitCode === 0 ? null : output.text.trim() || "nothing can be started in it";
}
