import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface ProcessCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command to its end; ms from before its start to after its end. Throws when it fails. */
export async function measureWall(command: ProcessCommand): Promise<number> {
  const began = performance.now();
  await runCommand(command, () => {});
  return performance.now() - began;
}

/** CPU time of a command and all that it waited for, in ms: on a busy machine the only time that can be compared. */
export async function measureCpu(command: ProcessCommand): Promise<number> {
  return (await measureTimes(command)).cpu;
}

/** How long one run of a command took, and the CPU time of it and all that it waited for; both in ms. Throws when it fails. */
export async function measureTimes({ argv, cwd, env }: ProcessCommand): Promise<{ wall: number; cpu: number }> {
  const script = `TIMEFORMAT="%3R %3U %3S"; time "$@" </dev/null >/dev/null 2>&1`; // codex reads what stdin holds, to its end
  const { stderr } = await promisify(execFile)("bash", ["-c", script, "bash", ...argv], { cwd, env });
  const [wall = Number.NaN, user = 0, system = 0] = stderr
    .trim()
    .split(" ")
    .map((seconds) => Number(seconds) * 1000);
  return { wall, cpu: user + system };
}

/** Peak resident memory in MiB: the kernel's high-water mark, read every ms while the command runs (Linux only). */
export async function measurePeakMemory(command: ProcessCommand): Promise<number> {
  let peakKiB = 0;
  await runCommand(command, (pid) => {
    const sample = setInterval(() => (peakKiB = Math.max(peakKiB, readPeakKiB(pid))), 1);
    return () => clearInterval(sample);
  });
  return peakKiB / 1024;
}

/**
 * One run: its wall time in ms, and the peak of resident memory, in MiB, of the largest process among the command and
 * those that it starts, read every `everyMs` (Linux only). Programs that npm installs start another one.
 */
export async function measureTreePeak(
  command: ProcessCommand,
  everyMs: number,
): Promise<{ readonly wall: number; readonly peak: number }> {
  let peakKiB = 0;
  const began = performance.now();
  await runCommand(command, (pid) => {
    const look = (each: number): void => {
      peakKiB = Math.max(peakKiB, readPeakKiB(each));
      for (const child of readChildren(each)) look(child);
    };
    const sample = setInterval(() => look(pid), everyMs);
    return () => clearInterval(sample);
  });
  return { wall: performance.now() - began, peak: peakKiB / 1024 };
}

/** The child processes of its first thread. */
function readChildren(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
    return children.filter((each) => each !== "").map(Number);
  } catch {
    return []; // it has ended
  }
}

/**
 * Runs a command to its end. `watch` gets its id, and may return a function to call at its end. Throws when it fails.
 */
export async function runCommand(command: ProcessCommand, watch: (pid: number) => (() => void) | void): Promise<void> {
  const [file = "", ...args] = command.argv;
  const child = spawn(file, args, { cwd: command.cwd, env: command.env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-2000)));
  const ended = Promise.withResolvers<number | null>();
  child.on("error", ended.reject).on("close", ended.resolve);
  const unwatch = watch(child.pid ?? 0);
  try {
    const exitCode = await ended.promise;
    if (exitCode !== 0) throw new Error(`${command.argv.join(" ")} ended with ${exitCode}: ${stderr}`);
  } finally {
    unwatch?.();
  }
}

/** CPU time of a running process, of its children and of all that these waited for, in ms; to 10 ms (Linux only). */
export function readCpu(pid: number): number {
  return [pid, ...readChildren(pid)].reduce((sum, each) => sum + readOwnCpu(each), 0);
}

function readOwnCpu(pid: number): number {
  try {
    const { own, waited } = readCpuTimes(pid);
    return own + waited;
  } catch {
    return 0; // it has ended, and is in what its parent waited for
  }
}

/** CPU time in ms, to 10 ms: of a process with its threads, and of those that it waited for. Throws where it has ended (Linux only). */
export function readCpuTimes(pid: number): { readonly own: number; readonly waited: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // the name before it may hold blanks and brackets
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) * 10);
  return { own: user + system, waited: childUser + childSystem };
}

function readPeakKiB(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // it has ended
  }
}
