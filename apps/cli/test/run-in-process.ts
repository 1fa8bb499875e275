import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessIo } from "@unroll/program";
import { runProgram } from "../src/program.ts";
import type { RanCommand } from "./run-unroll.ts";

interface InProcessSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** In `CODEX_HOME`, written before the run. */
  readonly config?: string;
  /** Called with all that stdout holds, and a way to send ^C. */
  readonly onStdout?: (text: string, interrupt: () => void) => void;
  /** Of a terminal that stdin and stdout are; absent: they are none. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

/** A home folder and an empty working folder, for command lines that are run in this process. */
export interface InProcessWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  run(args: readonly string[], settings?: InProcessSettings): Promise<RanCommand>;
}

export async function openInProcessWorld(): Promise<InProcessWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-in-process-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  await mkdir(join(home, ".codex"), { recursive: true });
  await mkdir(work);
  return {
    home,
    work,
    async run(args, settings = {}) {
      if (settings.config !== undefined) await writeFile(join(home, ".codex/config.toml"), settings.config);
      return runInProcess(args, { home, work }, settings);
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

async function runInProcess(
  args: readonly string[],
  { home, work }: Pick<InProcessWorld, "home" | "work">,
  { env = {}, onStdout, size }: InProcessSettings,
): Promise<RanCommand> {
  let interrupt = (): void => {};
  const [stdout, stderr] = [new PassThrough({ encoding: "utf8" }), new PassThrough({ encoding: "utf8" })];
  const text = { stdout: "", stderr: "" };
  stdout.on("data", (piece: string) => {
    text.stdout += piece;
    onStdout?.(text.stdout, () => interrupt());
  });
  stderr.on("data", (piece: string) => void (text.stderr += piece));
  const output = { isTerminal: size !== undefined, size: () => size ?? null };
  const io: ProcessIo = {
    env: { PATH: process.env["PATH"], HOME: home, ...env },
    cwd: work,
    platform: process.platform,
    nodeVersion: process.versions.node,
    homeDirectory: home,
    ownFolders: [],
    stdin: { stream: Readable.from([]), kind: size === undefined ? "file" : "terminal" },
    stdout: { stream: stdout, ...output },
    stderr: { stream: stderr, ...output },
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    random: Math.random,
    newId: () => crypto.randomUUID(),
    onSignal(listener) {
      interrupt = () => listener("SIGINT");
      return () => (interrupt = () => {});
    },
    onOrphaned: () => () => {},
    pid: process.pid,
    exitNow: () => {
      throw new Error("exitNow");
    },
  };
  const exitCode = await runProgram(args, io);
  return { exitCode, ...text };
}
