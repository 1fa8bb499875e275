import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@unroll/scripted-model";

/** `bin/unroll` as a person has it after `npm start`: it runs the bundle, so `pnpm build` comes first. */
export const command = join(import.meta.dirname, "../../../bin/unroll");

/**
 * Whether the real sandbox works here. Tests that need it are skipped without; `tooling/announce-skips.ts` says why.
 */
export const hasSandbox: boolean = spawnSync(command, ["sandbox", "-s", "read-only", "--", "true"]).status === 0;

/** Variables for a program whose machine trusts the authority in the file. A variable with a file in a temporary folder would not count. */
export function trusting(file: string): Readonly<Record<string, string>> {
  const module = `import { readFileSync } from "node:fs"; import { getCACertificates, setDefaultCACertificates } from "node:tls";
setDefaultCACertificates([...getCACertificates("default"), readFileSync(${JSON.stringify(file)}, "utf8")]);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

export interface RanCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunningCommand {
  readonly child: ChildProcess;
  /** Resolves as soon as stdout and stderr together hold the text; rejects if the program ends without it, as it does where nothing is built. */
  readonly printed: (text: string) => Promise<void>;
  readonly ended: Promise<RanCommand>;
}

interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: `/dev/null`. Null: a pipe that the test writes to. */
  readonly stdin?: string | null;
  /** Run instead of `command`. */
  readonly program?: string;
}

/** A home and a working folder, and a scripted model that the config names. */
interface CommandWorld extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly home: string;
  readonly work: string;
  start(args: readonly string[], settings?: RunSettings): RunningCommand;
  run(args: readonly string[], settings?: RunSettings): Promise<RanCommand>;
}

export async function openCommandWorld(options: ScriptedModelOptions): Promise<CommandWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-cli-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  const model = await startScriptedModel(options);
  await mkdir(join(home, ".codex"), { recursive: true });
  await mkdir(work);
  const config = `model = "gpt-5"\nmodel_provider = "test"\n[model_providers.test]\npreset = "openai"\nbase_url = "${model.url}"\n`;
  await writeFile(join(home, ".codex/config.toml"), config);
  function start(args: readonly string[], { env = {}, stdin, program = command }: RunSettings = {}): RunningCommand {
    const child = spawn(program, args, {
      cwd: work,
      env: { PATH: process.env["PATH"], HOME: home, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (stdin !== null) child.stdin?.end(stdin);
    return follow(child);
  }
  return {
    model,
    home,
    work,
    start,
    run: (args, settings) => start(args, settings).ended,
    async [Symbol.asyncDispose]() {
      await folder.remove();
      await model.close();
    },
  };
}

function follow(child: ChildProcess): RunningCommand {
  const text = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (piece: string) => {
      text[name] += piece;
      for (const look of waiting) look();
    });
  }
  const ended = Promise.withResolvers<RanCommand>();
  child.on("error", ended.reject).on("close", (exitCode) => ended.resolve({ exitCode, ...text }));
  async function printed(wanted: string): Promise<void> {
    const found = Promise.withResolvers<void>();
    const look = (): void => {
      if ((text.stdout + text.stderr).includes(wanted)) found.resolve();
    };
    waiting.add(look);
    look();
    await Promise.race([found.promise, ended.promise]);
    waiting.delete(look);
    if ((text.stdout + text.stderr).includes(wanted)) return;
    throw new Error(`It ended without printing ${JSON.stringify(wanted)}:\n${text.stdout}${text.stderr}`);
  }
  return { child, printed, ended: ended.promise };
}
