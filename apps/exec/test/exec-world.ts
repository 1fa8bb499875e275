import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { randomUUIDv7 } from "node:crypto";
import { type ExecOptions, runExec } from "@unroll/exec";
import type { InputStream, ProcessIo } from "@unroll/program";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@unroll/scripted-model";

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
  /** Given a way to send signals before the run starts. */
  readonly onStart?: (send: (signal: "SIGINT" | "SIGTERM") => void) => void;
}

/** A home folder, a working folder and a scripted model, all gone when it is disposed. */
export interface ExecWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: ScriptedModel;
  run(options: ExecOptions, settings?: RunSettings): Promise<RanExec>;
}

export async function openExecWorld(options: ScriptedModelOptions, config = ""): Promise<ExecWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-exec-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  const model = await startScriptedModel(options);
  await mkdir(join(home, ".codex"), { recursive: true });
  await mkdir(work);
  const provider = `[model_providers.test]\nname = "test"\nbase_url = "${model.url}"\n`;
  const keys = `model = "gpt-5"\nmodel_provider = "test"\n`;
  await writeFile(join(home, ".codex/config.toml"), keys + config + "\n" + provider);
  return {
    home,
    work,
    model,
    run: (exec, settings = {}) => runInProcess({ skipGitRepoCheck: true, ...exec }, { home, work }, settings),
    async [Symbol.asyncDispose]() {
      await folder.remove();
      await model.close();
    },
  };
}

async function runInProcess(
  options: ExecOptions,
  folders: { readonly home: string; readonly work: string },
  settings: RunSettings,
): Promise<RanExec> {
  const [stdout, stderr] = [collect(settings.onStdout), collect()];
  let listener: Parameters<ProcessIo["onSignal"]>[0] = () => {};
  const io: ProcessIo = {
    env: { PATH: process.env["PATH"], HOME: folders.home, ...settings.env },
    cwd: folders.work,
    platform: process.platform,
    nodeVersion: process.versions.node,
    homeDirectory: folders.home,
    ownFolders: [],
    stdin: settings.stdin ?? { stream: Readable.from([]), kind: "file" },
    stdout: { stream: settings.stdout ?? stdout.stream, isTerminal: false, size: () => null },
    stderr: { stream: stderr.stream, isTerminal: false, size: () => null },
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: async () => {},
    random: Math.random,
    newId: () => randomUUIDv7(),
    onSignal(next) {
      listener = next;
      return () => (listener = () => {});
    },
    onOrphaned: () => () => {},
    pid: process.pid,
    exitNow: () => {
      throw new Error("exitNow");
    },
  };
  settings.onStart?.((signal) => listener(signal));
  const exitCode = await runExec(options, io);
  const text = stdout.text();
  const events = options.json
    ? text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
  return { exitCode, stdout: text, stderr: stderr.text(), events };
}

function collect(onText: (text: string) => void = () => {}): { readonly stream: PassThrough; text(): string } {
  let all = "";
  const stream = new PassThrough();
  stream.setEncoding("utf8").on("data", (text: string) => {
    all += text;
    onText(text);
  });
  return { stream, text: () => all };
}
