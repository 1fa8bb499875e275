import { randomUUIDv7 } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { noTokenUsage } from "@unroll/protocol";
import { openTaskQueue, type QueueError, runWorker, type WorkerOptions } from "@unroll/queue";
import { serverKinds, startPostgres, startRedis } from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";
import { clock } from "./test-clock.ts";

const nothing = { value: null, usage: noTokenUsage, cost: null, uncachedCost: null, changes: null, error: null };

/** As a server that was just started again says it. */
const startingUp = toError("the database system is starting up");

function toError(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P03\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

function toSocket(url: string): string {
  if (url.startsWith("unix:")) return url.slice("unix://".length);
  return `${new URLSearchParams(url.split("?")[1]).get("host")}/.s.PGSQL.5432`;
}

/** A way to a server that is shut behind so many connections; absent: open for all. */
async function openGate(path: string, most = Infinity) {
  const sockets = new Set<Socket>();
  let count = 0;
  let refusals = 0;
  let isSilent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (refusals > 0) {
      refusals -= 1;
      return void socket.destroy();
    }
    if (isSilent) return;
    if ((count += 1) > most) return void socket.once("data", () => socket.end(startingUp));
    const inner = connect(path);
    sockets.add(inner);
    inner.on("error", () => {});
    socket.pipe(inner).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: path.includes("PGSQL") ? `postgresql://unroll@${address}/postgres` : `redis://${address}`,
    /** Breaks all connections, and so many new ones. */
    cut(next: number) {
      refusals = next;
      for (const socket of sockets) socket.destroy();
    },
    /** Nothing passes any more, and no connection breaks, as when a machine is unplugged. */
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

test.skipIf(serverKinds.postgres !== null)(
  "a worker says so when its server goes away while it starts, at whichever connection",
  async () => {
    await using server = await startPostgres();
    const outcomes: string[] = [];
    for (let most = 0; outcomes.at(-1) !== "started"; most++) {
      await using gate = await openGate(toSocket(server.url), most);
      const stop = new AbortController();
      const runner = { run: () => Promise.reject(new Error("There is no task.")) };
      try {
        for await (const event of runWorker({ url: gate.url, clock, runner, signal: stop.signal }))
          if (event.type === "worker.started") {
            outcomes.push("started");
            stop.abort();
          }
      } catch (error) {
        outcomes.push((error as QueueError).code);
      }
    }
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set(["queue_unreachable"]));
  },
);

test.skipIf(serverKinds.postgres !== null)(
  "a task whose end the queue's server did not hear of has not failed: it is delivered again",
  async () => {
    await using server = await startPostgres();
    async function cut(next: number): Promise<unknown> {
      await using gate = await openGate(toSocket(server.url));
      const name = `q${next}`;
      await using queue = await openTaskQueue({ url: server.url, name });
      await queue.add([{ id: "a", prompt: "Go" }], { newId: () => randomUUIDv7() });
      const stop = new AbortController();
      let runs = 0;
      const runner: WorkerOptions["runner"] = {
        async run() {
          if ((runs += 1) === 1) gate.cut(next);
          return { ...nothing, status: "completed", finalMessage: "Done." };
        },
      };
      const options = { url: gate.url, name, clock, runner, lockMs: 2_000, againMs: 1, drain: stop.signal };
      for await (const event of runWorker(options)) if (event.type === "task.ended") stop.abort();
      return await queue.find("a");
    }

    const found = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(cut));
    for (const task of found) expect(task).toMatchObject({ state: "completed", result: { final_message: "Done." } });
  },
);

const kinds = [
  ["redis", startRedis],
  ["postgres", startPostgres],
] as const;

for (const [kind, start] of kinds) {
  test.skipIf(serverKinds[kind] !== null)(
    `a worker that is asked to stop ends, although its server is away or silent (${kind})`,
    async () => {
      await using server = await start();

      async function stopWithout(leave: "cut" | "silence", hasTask: boolean): Promise<unknown> {
        await using gate = await openGate(toSocket(server.url));
        const place = { url: gate.url, name: `${leave}-${hasTask}` };
        await using queue = await openTaskQueue({ ...place, url: server.url });
        if (hasTask) await queue.add([{ id: "a", prompt: "Go" }], { newId: () => randomUUIDv7() });
        const stop = new AbortController();
        const go = (): void => {
          gate[leave](Infinity);
          stop.abort();
        };
        const runner: WorkerOptions["runner"] = {
          async run(_task, { signal }) {
            go();
            if (!signal.aborted) await once(signal, "abort");
            return { ...nothing, status: "failed", finalMessage: null, error: { code: "interrupted", message: "" } };
          },
        };
        const quick = { ...clock, sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms / 40, signal) };
        for await (const { type } of runWorker({ ...place, clock: quick, runner, drain: stop.signal }))
          if (type === "worker.started" && !hasTask) go();
        return (await queue.find("a"))?.state ?? null;
      }

      const cases = (["cut", "silence"] as const).flatMap((leave) => [
        stopWithout(leave, false),
        stopWithout(leave, true),
      ]);
      expect(await Promise.all(cases)).toEqual([null, "active", null, "active"]); // another worker takes it when its lock ends
    },
  );
}
