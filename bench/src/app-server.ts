import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAppServer } from "@unroll/app-server";
import { openHarness } from "@unroll/harness";
import { createHost, loadProgramConfig, openProgramStore, type ProcessIo } from "@unroll/program";
import { type Person, refusalOf } from "@unroll/protocol";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { BenchOptions, BenchResult } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "app-server";

const turns = Number(process.env["UNROLL_BENCH_TURNS"] ?? 1_000);
const turnsOfThread = 50;
const most = 1.15; // times the same turns in process

/**
 * Measures the wire: the CPU time of turns over the app-server, without and with its client's, against the same turns
 * of a harness.
 */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  await using stack = new AsyncDisposableStack();
  const url = stack.adopt(await startModel(), ({ stop }) => stop()).url;
  const world = await openWorld(url, stack);
  await runInProcess(world); // what is loaded and compiled once
  await runOverWire(world);
  const clients: number[] = [];
  const costs = await interleave(Math.min(rounds, 5), {
    harness: () => measureCpu(() => runInProcess(world)),
    server: () => measureCpu(async () => void clients.push(await runOverWire(world))),
  });
  const [base, value, client] = [median(costs.harness), median(costs.server), median(clients)];
  const unit = "ms of CPU";
  const ratio = value / base;
  return {
    name,
    rows: [
      { label: `${turns} turns in process`, value: base, unit, ratio: 1 },
      { label: `${turns} turns over the app-server`, value, unit, ratio, target: `<= ${most}x`, ok: ratio <= most },
      { label: "the same, with its client", value: value + client, unit, ratio: (value + client) / base },
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
  const provider = `[model_providers.bench]\nname = "bench"\npreset = "openai"\nbase_url = "${url}"\n`;
  await writeFile(join(home, ".codex/config.toml"), `model = "gpt-5"\nmodel_provider = "bench"\n${provider}`);
  return { home, work };
}

function createIo({ home, work }: World, own: Partial<ProcessIo> = {}): ProcessIo {
  return createTestIo({ env: { PATH: process.env["PATH"], HOME: home }, cwd: work, homeDirectory: home, ...own });
}

/**
 * Somebody is present, as over the wire, so that the model gets the same prompt: its requests have the same bytes.
 * Nothing is asked.
 */
const person: Person = { answer: async (question) => refusalOf(question) };

async function runInProcess(world: World): Promise<void> {
  const io = createIo(world);
  const host = createHost(io);
  const config = await loadProgramConfig({}, host);
  const store = await openProgramStore(config, io);
  await using harness = await openHarness({ host, config, userAgent: "bench", store });
  for (let done = 0; done < turns; done += turnsOfThread) {
    await using thread = await harness.openThread({ person });
    for (let turn = 0; turn < turnsOfThread; turn++) for await (const _ of thread.run(`Do step ${turn}.`));
  }
}

/** A client's CPU time: it is a process of its own, as an editor is. */
async function runOverWire(world: World): Promise<number> {
  const file = join(import.meta.dirname, "app-server-client.ts");
  const args = [...process.execArgv, file, String(turns), String(turnsOfThread)];
  const client = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  const { stdin, stdout } = client;
  if (stdin === null || stdout === null) throw new Error("the client has no pipes");
  const told = once(client, "message");
  const io = createIo(world, {
    stdin: { stream: stdout, kind: "silent" },
    stdout: { stream: stdin, isTerminal: false, size: () => null },
  });
  await runAppServer({ version: "0.0.0" }, io);
  const [cpuMs] = (await told) as [number];
  return cpuMs;
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
