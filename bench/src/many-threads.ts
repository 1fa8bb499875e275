import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Harness, openHarness, type Thread } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "many-threads";

const count = Number(process.env["UNROLL_BENCH_THREADS"] ?? 1_000);
const turns = 10;
const heapTarget = 150; // KiB a live thread over the base
const speedTarget = 0.8; // of a bare fetch loop
const closeTarget = 1_000; // ms for all
const openingTarget = 1.5; // ms CPU a thread
const residentTarget = 120; // KiB a thread that was opened

/** Measures a thread in a process that has a thousand: memory, requests a second, and their end. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const bodies = await recordBodies();
  await using server = await startServer();
  const opened = await measureOpening(server.url); // first: later threads are given memory that others had
  const speeds: number[] = [];
  const { costs } = await interleave(Math.min(rounds, 3), {
    costs: async () => {
      speeds.push(await runFetches(server.url, bodies));
      return runThreads(server.url);
    },
  });
  const base = median(speeds);
  const of = (field: keyof Cost): number => median(costs.map((cost) => cost[field]));
  const [speed, heap, close] = [of("speed"), of("heap"), of("close")];
  return {
    name,
    rows: [
      { label: `bare fetch, ${count} x ${turns} requests`, value: base, unit: "requests/s", ratio: 1 },
      {
        label: "threads, the same requests",
        value: speed,
        unit: "requests/s",
        ratio: speed / base,
        target: `>= ${speedTarget}x`,
        ok: speed / base >= speedTarget,
      },
      toRow(`opening one of ${count} threads`, opened.cpu, { unit: "ms CPU", most: openingTarget }),
      toRow(`resident of one of ${count} that were opened`, opened.resident, { unit: "KiB", most: residentTarget }),
      toRow("memory of a live thread", heap, { unit: "KiB", most: heapTarget }),
      toRow(`closing ${count} threads together`, close, { unit: "ms", most: closeTarget }),
    ],
  };
}

function toRow(label: string, value: number, { unit, most }: { unit: string; most: number }): BenchRow {
  return { label, value, unit, target: `<= ${most} ${unit}`, ok: value <= most };
}

/** The bodies of one thread, as a server got them. */
async function recordBodies(): Promise<readonly string[]> {
  await using model = await startScriptedModel({
    respond: () => ({ items: [{ text: "Done: one more step of the job." }] }),
  });
  await using world = await openWorld(model.url);
  await using thread = await world.harness.openThread();
  await runTurns(thread);
  return model.requests.map(({ raw }) => raw.toString().replaceAll(thread.id, "THREAD"));
}

async function runFetches(url: string, bodies: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      for (const body of bodies) {
        const headers = {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: "Bearer none",
        };
        const own = body.replaceAll("THREAD", `fetch-${index}-${startedAt}`);
        const text = await fetchAgain(`${url}/responses`, { method: "POST", headers, body: own });
        if (!text.includes("response.completed")) throw new Error(`not answered: ${text.slice(0, 200)}`);
      }
    }),
  );
  return (count * turns * 1000) / (performance.now() - startedAt);
}

/** A connection that the server had just closed costs a second try, as in our client. */
async function fetchAgain(url: string, init: RequestInit): Promise<string> {
  for (;;) {
    const text = await fetch(url, init).then(
      async (response) => response.text(),
      () => null,
    );
    if (text !== null) return text;
  }
}

/** Measures the CPU time in ms, and the memory in KiB, of opening one thread. */
async function measureOpening(url: string): Promise<{ readonly cpu: number; readonly resident: number }> {
  await using world = await openWorld(url);
  await (await world.harness.openThread())[Symbol.asyncDispose](); // loads what it takes
  collectGarbage();
  const [before, cpuBefore] = [process.memoryUsage().rss, process.cpuUsage()];
  const threads = await Promise.all(Array.from({ length: count }, () => world.harness.openThread()));
  const { user, system } = process.cpuUsage(cpuBefore);
  collectGarbage();
  const resident = toKiB(process.memoryUsage().rss - before);
  await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()));
  return { cpu: (user + system) / 1000 / count, resident };
}

interface Cost {
  readonly speed: number;
  readonly heap: number;
  readonly close: number;
}

async function runThreads(url: string): Promise<Cost> {
  await using world = await openWorld(url);
  const before = measureHeap();
  const threads = await Promise.all(Array.from({ length: count }, () => world.harness.openThread()));
  const startedAt = performance.now();
  await Promise.all(threads.map(runTurns));
  const speed = (count * turns * 1000) / (performance.now() - startedAt);
  const heap = toKiB(measureHeap() - before);
  const closedAt = performance.now();
  await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()));
  return { speed, heap, close: performance.now() - closedAt };
}

async function runTurns(thread: Thread): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) await thread.run(`Do step ${turn}.`); // rejects where a turn fails
}

interface World extends AsyncDisposable {
  readonly harness: Harness;
}

async function openWorld(url: string): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "unroll-bench-")));
  const env = { PATH: process.env["PATH"], HOME: folder.path, OPENAI_API_KEY: "none", OPENAI_BASE_URL: url };
  const host = nodeHost({ cwd: folder.path, env });
  const harness = stack.use(await openHarness({ host, config: { sandboxMode: "read-only", model: "gpt-5-codex" } }));
  const opened = stack.move();
  return { harness, [Symbol.asyncDispose]: async () => opened.disposeAsync() };
}

function toKiB(bytes: number): number {
  return bytes / 1024 / count;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function measureHeap(): number {
  collectGarbage();
  collectGarbage(); // what the first one has found outside the heap is freed beside it
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function startServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const file = join(import.meta.dirname, "model-server.ts");
  const child = spawn(process.execPath, [...process.execArgv, file], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: line.toString().trim(),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
