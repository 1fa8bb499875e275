import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { runAppServer } from "@unroll/app-server";
import { openHarness } from "@unroll/harness";
import { createHostEnvironment, loadProgramConfig, openProgramStore, type ProcessIo } from "@unroll/program";
import { type Person, refusalOf } from "@unroll/protocol";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { BenchOptions, BenchResult } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "app-server";

const turns = Number(process.env["UNROLL_BENCH_TURNS"] ?? 1_000);
const turnsOfThread = 50;
const most = 1.15; // times the same turns in process

/** What the wire costs: the CPU time of turns over the app-server, its client's too, against the same turns of a harness. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  await using stack = new AsyncDisposableStack();
  const url = stack.adopt(await startModel(), ({ stop }) => stop()).url;
  const world = await openWorld(url, stack);
  await runInProcess(world); // what is loaded and compiled once
  await runOverWire(world);
  const costs = await interleave(Math.min(rounds, 5), {
    harness: () => measureCpu(() => runInProcess(world)),
    server: () => measureCpu(() => runOverWire(world)),
  });
  const [base, value] = [median(costs.harness), median(costs.server)];
  const ratio = value / base;
  return {
    name,
    rows: [
      { label: `${turns} turns in process`, value: base, unit: "ms of CPU", ratio: 1 },
      {
        label: `${turns} turns over the app-server, with its client`,
        value,
        unit: "ms of CPU",
        ratio,
        target: `<= ${most}x`,
        ok: ratio <= most,
      },
    ],
  };
}

interface World {
  readonly home: string;
  readonly work: string;
}

async function openWorld(url: string, stack: AsyncDisposableStack): Promise<World> {
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "unroll-bench-")));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  await mkdir(join(home, ".codex"), { recursive: true });
  await mkdir(work);
  const provider = `[model_providers.bench]\nname = "bench"\nbase_url = "${url}"\n`;
  await writeFile(join(home, ".codex/config.toml"), `model = "gpt-5"\nmodel_provider = "bench"\n${provider}`);
  return { home, work };
}

function createIo({ home, work }: World, own: Partial<ProcessIo> = {}): ProcessIo {
  return createTestIo({ env: { PATH: process.env["PATH"], HOME: home }, cwd: work, homeDirectory: home, ...own });
}

/** As over the wire, somebody is there, so that the model is told the same: its requests have the same bytes. Nothing is asked. */
const person: Person = { answer: async (question) => refusalOf(question) };

async function runInProcess(world: World): Promise<void> {
  const io = createIo(world);
  const host = createHostEnvironment(io);
  const config = await loadProgramConfig({}, host);
  const store = await openProgramStore(config.codexHome, io);
  await using harness = await openHarness({ host, config, userAgent: "bench", store });
  for (let done = 0; done < turns; done += turnsOfThread) {
    await using thread = await harness.openThread({ person });
    for (let turn = 0; turn < turnsOfThread; turn++) for await (const _ of thread.run(`Do step ${turn}.`));
  }
}

async function runOverWire(world: World): Promise<void> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = createIo(world, {
    stdin: { stream: stdin, kind: "silent" },
    stdout: { stream: stdout, isTerminal: false, size: () => null },
  });
  const ended = runAppServer({ version: "0.0.0" }, io);
  const client = createClient(stdin, stdout);
  await client.request("initialize", { clientInfo: { name: "bench", version: "0" } });
  for (let done = 0; done < turns; done += turnsOfThread) {
    const { thread } = (await client.request("thread/start", {})) as { readonly thread: { readonly id: string } };
    const threadId = thread.id;
    for (let turn = 0; turn < turnsOfThread; turn++) {
      const completed = client.nextEnd();
      await client.request("turn/start", { threadId, input: [{ type: "text", text: `Do step ${turn}.` }] });
      await completed;
    }
    await client.request("thread/unsubscribe", { threadId });
  }
  stdin.end();
  await ended;
}

interface Client {
  request(method: string, params: object): Promise<unknown>;
  /** Resolves with the next end of a turn. */
  nextEnd(): Promise<void>;
}

/** As small as one can be: it reads all that it is told, and keeps nothing. */
function createClient(input: PassThrough, output: PassThrough): Client {
  let id = 0;
  const [answers, ends] = [new Map<number, (result: unknown) => void>(), [] as (() => void)[]];
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as { readonly id?: number; readonly method?: string; readonly result?: unknown };
      if (message.method === "turn/completed") ends.shift()?.();
      if (message.method !== undefined || message.id === undefined) continue;
      answers.get(message.id)?.(message.result);
      answers.delete(message.id);
    }
  });
  return {
    request(method, params) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      answers.set((id += 1), resolve);
      input.write(`${JSON.stringify({ id, method, params })}\n`);
      return promise;
    },
    nextEnd: () => new Promise((resolve) => ends.push(resolve)),
  };
}

async function measureCpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** In a process of its own: what it costs is not counted. */
async function startModel(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const file = join(import.meta.dirname, "model-server.ts");
  const child = spawn(process.execPath, [...process.execArgv, file], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: line.toString().trim(),
    async stop() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
