import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type ExecOptions, runExec } from "@unroll/exec";
import type { InputStream, StopSignal } from "@unroll/program";
import { type ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { ScriptedModelOptions } from "@unroll/scripted-model";

export interface RanExec {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout, parsed; for `--json`. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: `/dev/null`. */
  readonly stdin?: InputStream;
  /** Called with each piece of stdout. */
  readonly onStdout?: (text: string) => void;
  /** Absent: one that takes everything. */
  readonly stdout?: PassThrough;
  /** The columns of the terminal that stderr is. Absent: it is a pipe. */
  readonly columns?: number;
  /** Given a way to send signals before the run starts. */
  readonly onStart?: (send: (signal: StopSignal) => void) => void;
}

export interface ExecWorld extends ModelHome {
  run(options: ExecOptions, settings?: RunSettings): Promise<RanExec>;
}

export async function openExecWorld(options: ScriptedModelOptions, config = ""): Promise<ExecWorld> {
  const world = await openModelHome(options, config);
  return {
    ...world,
    run: (exec, settings = {}) => runInProcess({ skipGitRepoCheck: true, ...exec }, world, settings),
  };
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => {});

async function runInProcess(options: ExecOptions, { home, work }: ModelHome, settings: RunSettings): Promise<RanExec> {
  const stdout = settings.stdout ?? new PassThrough();
  let text = "";
  if (settings.stdout === undefined)
    stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      settings.onStdout?.(piece);
    });
  const io = createTestIo({
    env: { PATH: process.env["PATH"], HOME: home, ...settings.env },
    cwd: work,
    homeDirectory: home,
    ...(settings.stdin && { stdin: settings.stdin }),
    stdout: { stream: stdout, isTerminal: false, size: () => null },
  });
  const { columns } = settings;
  const terminal = columns === undefined ? {} : { isTerminal: true, size: () => ({ columns, rows: 24 }) };
  settings.onStart?.((signal) => io.send(signal));
  const exitCode = await runExec(options, { ...io, stderr: { ...io.stderr, ...terminal }, sleep });
  const events = options.json
    ? text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
  return { exitCode, stdout: text, stderr: io.written.stderr, events };
}
