import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createResponsesClient } from "@unroll/responses-client";
import OpenAI from "openai";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "sse-throughput";

const eventCount = 100_000;
/**
 * Limits relative to the openai SDK in the same run; code that came nearer to the limit was removed:
 * docs/decisions/0024.
 */
const [speedTarget, cpuTarget] = [2.5, 0.3];

interface Reading {
  readonly eventsPerSecond: number;
  /** CPU time of this process per event, in microseconds. */
  readonly cpuPerEvent: number;
}

/**
 * Small delta events from a server process on loopback, read by our client and by the `openai` SDK. The targets
 * hold for a server that writes 64 KiB at a time; one HTTP chunk an event costs node:http itself most of the time.
 */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  await using server = await startServer();
  const rows: BenchRow[] = [];
  for (const writes of ["64 KiB writes", "one write an event"]) {
    const url = `${server.origin}/${writes === "64 KiB writes" ? "blocks" : "events"}`;
    const clients = { ours: () => measure(() => readWithOurs(url)), sdk: () => measure(() => readWithSdk(url)) };
    await interleave(1, clients); // compiles the code
    const readings = await interleave(rounds, clients);
    rows.push(...toRows(writes, readings.ours, readings.sdk));
  }
  return { name, rows };
}

function toRows(writes: string, ours: readonly Reading[], sdk: readonly Reading[]): BenchRow[] {
  const isTarget = writes === "64 KiB writes";
  const speed = medianOf(ours, "eventsPerSecond");
  const cpu = medianOf(ours, "cpuPerEvent");
  const sdkSpeed = medianOf(sdk, "eventsPerSecond");
  const sdkCpu = medianOf(sdk, "cpuPerEvent");
  const cpuRatio = cpu / sdkCpu;
  const speedBound = { target: `>= ${speedTarget}x openai SDK`, ok: speed / sdkSpeed >= speedTarget };
  const cpuBound = { target: `<= ${cpuTarget}x openai SDK`, ok: cpuRatio <= cpuTarget };
  return [
    { label: `${writes}: speed`, value: speed, unit: "events/s", ratio: speed / sdkSpeed, ...(isTarget && speedBound) },
    { label: `${writes}: CPU an event`, value: cpu, unit: "us", ratio: cpuRatio, ...(isTarget && cpuBound) },
    { label: `${writes}: speed, openai SDK`, value: sdkSpeed, unit: "events/s" },
    { label: `${writes}: CPU an event, openai SDK`, value: sdkCpu, unit: "us" },
  ];
}

function medianOf(readings: readonly Reading[], field: keyof Reading): number {
  return median(readings.map((reading) => reading[field]));
}

async function measure(read: () => Promise<number>): Promise<Reading> {
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  const count = await read();
  const { user, system } = process.cpuUsage(cpuBefore);
  if (count !== eventCount) throw new Error(`${count} of ${eventCount} events came`);
  return {
    eventsPerSecond: (eventCount / (performance.now() - began)) * 1000,
    cpuPerEvent: (user + system) / eventCount,
  };
}

async function readWithOurs(baseUrl: string): Promise<number> {
  const client = createResponsesClient({
    provider: { id: "bench", baseUrl, queryParams: {}, headers: {} },
    credential: { authorization: async () => ({ authorization: "Bearer none" }) },
    clock: {
      now: Date.now,
      elapsed: () => performance.now(),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
      setTimer(ms, expire) {
        const timer = setTimeout(expire, ms);
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    userAgent: "bench",
  });
  const request = { threadId: "bench", turnId: "1", chunks: [Buffer.from('{"model":"m","input":"","stream":true}')] };
  let count = 0;
  for await (const event of client.stream(request, new AbortController().signal)) {
    if (event.type === "response.output_text.delta") count += countWords(event.delta);
  }
  client.close();
  return count;
}

async function readWithSdk(baseURL: string): Promise<number> {
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  let count = 0;
  for await (const event of await client.responses.create({ model: "m", input: "", stream: true })) {
    if (event.type === "response.output_text.delta") count += countWords(event.delta);
  }
  return count;
}

/** One in each event of the server; our client makes one of those that came together. */
function countWords(delta: string): number {
  return delta.split(" word").length - 1;
}

async function startServer(): Promise<AsyncDisposable & { readonly origin: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "sse-server.ts"), String(eventCount)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    origin: `http://127.0.0.1:${port.trim()}`,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}
