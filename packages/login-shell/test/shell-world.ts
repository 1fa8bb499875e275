import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { forEach } from "@unroll/flow";
import { createLoginShells, type LoginShells, type ShellRunner, type ShellContext } from "@unroll/login-shell";
import type { CommandOutcome, CommandSpec } from "@unroll/protocol";

/** A home with profiles, and shells of it. Gone when disposed. */
export interface ShellWorld extends AsyncDisposable {
  readonly home: string;
  readonly shells: LoginShells;
  readonly warnings: string[];
  /** The argument lists of all that was run. */
  readonly runs: (readonly string[])[];
  /** Time as the shells count it, in ms; to be moved. */
  readonly clock: { elapsedMs: number };
  /** `bash -lc SCRIPT` in the home. */
  toSpec(script: string, change?: Partial<CommandSpec>): CommandSpec;
  enter(spec: CommandSpec, change?: Partial<ShellContext>): Promise<CommandSpec>;
  /** The same, for a command that is no longer wanted once something runs for it. */
  stopSoon(spec: CommandSpec): Promise<CommandSpec>;
  write(name: string, text: string): Promise<void>;
  /** Gives its stdout. */
  run(spec: CommandSpec): Promise<string>;
}

export interface ShellWorldOptions {
  readonly shell?: "bash" | "zsh";
  /** By their names in the home. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxKept?: number;
  /** A script that the runner runs before its nth command. */
  readonly prelude?: (count: number) => string;
}

export async function openShellWorld(options: ShellWorldOptions = {}): Promise<ShellWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-login-shell-"));
  const home = join(folder.path, "home");
  await mkdir(home);
  const environment = { PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8", ...options.environment };
  const runs: (readonly string[])[] = [];
  const warnings: string[] = [];
  const clock = { elapsedMs: 0 };
  const runner = createRunner({ inherited: environment, runs, prelude: options.prelude ?? (() => ":") });
  const shells = createLoginShells({
    folder: join(folder.path, "state/logins/one"),
    now: Date.now,
    elapsed: () => clock.elapsedMs,
    createId: () => randomUUID(),
    timeoutMs: options.timeoutMs ?? hangsMs,
    ...(options.maxKept !== undefined && { maxKept: options.maxKept }),
  });
  const surroundings: ShellContext = {
    runner,
    environment,
    walls: "some",
    filter: { keepsVariable: () => true, holdsCredential: () => false },
    filterId: "none",
    warn: (message) => warnings.push(message),
  };
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), content);
  };
  for (const [name, content] of Object.entries(options.files ?? {})) await write(name, content);
  return {
    home,
    shells,
    warnings,
    runs,
    clock,
    toSpec: (script, change) => ({
      argv: [options.shell ?? "bash", "-lc", script],
      cwd: home,
      timeoutMs: hangsMs,
      maxOutputBytes: 1_000_000,
      confinement: "policy",
      ...change,
    }),
    enter: (spec, change) => shells.enter(spec, { ...surroundings, ...change }, new AbortController().signal),
    stopSoon(spec) {
      const stopper = new AbortController();
      const stopping: ShellRunner = {
        ...runner,
        run(script, signal) {
          setImmediate(() => stopper.abort());
          return runner.run(script, signal);
        },
      };
      return shells.enter(spec, { ...surroundings, runner: stopping }, stopper.signal);
    },
    write,
    async run(spec) {
      const pieces: string[] = [];
      await forEach(runner.run(spec, new AbortController().signal), ({ stream, text: piece }) => {
        if (stream === "stdout") pieces.push(piece);
      });
      return pieces.join("");
    },
    async [Symbol.asyncDispose]() {
      await shells[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** A bound for what hangs, on a busy machine too. */
const hangsMs = 250_000;

/** Runs commands without a sandbox. Returns their output after they ended. */
function createRunner({
  inherited,
  runs,
  prelude,
}: {
  readonly inherited: Readonly<Record<string, string>>;
  readonly runs: (readonly string[])[];
  readonly prelude: (count: number) => string;
}): ShellRunner {
  return {
    async *run({ argv, cwd, environment, timeoutMs }, signal) {
      runs.push(argv);
      const env = { ...inherited, ...environment };
      const child = spawn("/bin/sh", ["-c", `${prelude(runs.length)}; exec "$0" "$@"`, ...argv], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      const stop = (): void => stopGroup(child.pid ?? 0);
      const timer = setTimeout(stop, timeoutMs);
      signal.addEventListener("abort", stop);
      const printed = Promise.all([text(child.stdout), text(child.stderr)]);
      const [exitCode] = (await once(child, "exit")) as [number | null];
      stop(); // what it left running, which may hold its output open
      const [stdout, stderr] = await printed;
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      yield { type: "output", stream: "stdout", text: stdout };
      yield { type: "output", stream: "stderr", text: stderr };
      return toOutcome(exitCode, signal.aborted);
    },
    startBackgroundCommand: () => Promise.resolve({ type: "refused", message: "There are no terminals here." }),
  };
}

function stopGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}

function toOutcome(exitCode: number | null, isAborted: boolean): CommandOutcome {
  const output = { text: "", totalBytes: 0, totalLines: 0, omittedBytes: 0, omittedLines: 0 };
  if (isAborted) return { type: "aborted", durationMs: 0, output };
  if (exitCode === null) return { type: "timed_out", durationMs: 0, output };
  return { type: "exited", exitCode, signal: null, durationMs: 0, output };
}
