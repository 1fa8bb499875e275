import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { setImmediate as passTurn } from "node:timers/promises";
import type { ProcessIo } from "@unroll/program";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@unroll/scripted-model";
import { runProgram } from "../src/program.ts";
import type { RanCommand } from "./run-unroll.ts";

interface InProcessSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** In `CODEX_HOME`, written before the run. */
  readonly config?: string;
  /** Absent: the working folder. */
  readonly cwd?: string;
  readonly now?: () => number;
  /** The text of stdin; absent: empty. Null: a terminal at which nobody types. */
  readonly stdin?: string | null;
  /** The answer that the user types at each `[y/N]`: stdin and stderr are a terminal then. */
  readonly answer?: string;
  /** The size of the terminal that stdin, stdout and stderr are. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Called with all that stdout holds, and a way to send ^C. */
  readonly onStdout?: (text: string, interrupt: () => void) => void;
  /** Called with each piece of stdout and of stderr, as they come. */
  readonly onOutput?: (piece: string, interrupt: () => void) => void;
}

/** A home folder and an empty working folder, for command lines that are run in this process. */
export interface InProcessWorld extends AsyncDisposable {
  readonly home: string;
  readonly codexHome: string;
  readonly work: string;
  run(args: readonly string[], settings?: InProcessSettings): Promise<RanCommand>;
  /** Into a file `home/…` or `work/…`. */
  write(path: string, text: string): Promise<void>;
}

export async function openInProcessWorld(): Promise<InProcessWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-in-process-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  const codexHome = join(home, ".codex");
  await mkdir(codexHome, { recursive: true });
  await mkdir(work);
  return {
    home,
    codexHome,
    work,
    async run(args, settings = {}) {
      if (settings.config !== undefined) await writeFile(join(codexHome, "config.toml"), settings.config);
      return runInProcess(args, { home, work }, settings);
    },
    async write(path, text) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), text);
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

/** With a scripted model that the config names, as `openCommandWorld` has one. */
export async function openModelWorld(
  options: ScriptedModelOptions,
): Promise<InProcessWorld & { readonly model: ScriptedModel }> {
  const world = await openInProcessWorld();
  const model = await startScriptedModel(options);
  const config = `model = "gpt-5"\nmodel_provider = "test"\n[model_providers.test]\npreset = "openai"\nbase_url = "${model.url}"\n`;
  await world.write("home/.codex/config.toml", config);
  return {
    ...world,
    model,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

async function runInProcess(
  args: readonly string[],
  { home, work }: Pick<InProcessWorld, "home" | "work">,
  { env = {}, cwd = work, now = Date.now, onStdout, onOutput, ...streams }: InProcessSettings,
): Promise<RanCommand> {
  const text = { stdout: "", stderr: "" };
  const { stdin, isTyped, size } = openInput(streams);
  const open = (name: "stdout" | "stderr"): Writable =>
    toWritable((piece) => {
      text[name] += piece;
      onOutput?.(piece, () => io.send("SIGINT"));
      if (name === "stdout") onStdout?.(text.stdout, () => io.send("SIGINT"));
      // typed when the question is shown
      if (streams.answer !== undefined && piece.includes("[y/N]"))
        setImmediate(() => (stdin.stream as PassThrough).write(`${streams.answer}\n`));
    });
  const io = createTestIo({
    env: { PATH: process.env["PATH"], HOME: home, ...env },
    cwd,
    homeDirectory: home,
    stdin,
    stdout: { stream: open("stdout"), isTerminal: size !== null, size: () => size },
    stderr: { stream: open("stderr"), isTerminal: isTyped || size !== null, size: () => size },
    now,
    sleep: async () => passTurn(),
  });
  const exitCode = await runProgram(args, io);
  return { exitCode, ...text };
}

function openInput({ stdin, answer, size }: Pick<InProcessSettings, "stdin" | "answer" | "size">): {
  readonly stdin: ProcessIo["stdin"];
  /** By a person who answers. */
  readonly isTyped: boolean;
  readonly size: { readonly columns: number; readonly rows: number } | null;
} {
  const isTyped = answer !== undefined;
  const found = { isTyped, size: size ?? null };
  if (isTyped || stdin === null) return { ...found, stdin: { stream: new PassThrough(), kind: "terminal" } };
  const stream = Readable.from(stdin === undefined ? [] : [stdin]);
  return { ...found, stdin: { stream, kind: size === undefined ? "file" : "terminal" } };
}

/** Passes on written text at once; ignores an empty write, which only waits for earlier ones. */
function toWritable(write: (piece: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length > 0) write(chunk.toString());
      done();
    },
  });
}
