import { randomUUIDv7 } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { noTokenUsage } from "@unroll/protocol";
import { openTaskQueue, type QueueError, runWorker, type WorkerOptions } from "@unroll/queue";
import { serverKinds, startPostgres } from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";
import { clock } from "./test-clock.ts";

/** As a server that was just started again says it. */
const startingUp = toError("the database system is starting up");

function toError(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P03\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

function toSocket(url: string): string {
  return `${new URLSearchParams(url.split("?")[1]).get("host")}/.s.PGSQL.5432`;
}

/** A way to a server that is shut behind so many connections. */
async function openGate(path: string, most: number) {
  const sockets = new Set<Socket>();
  let count = 0;
  let refusals = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (refusals > 0) {
      refusals -= 1;
      return void socket.destroy();
    }
    if ((count += 1) > most) return void socket.once("data", () => socket.end(startingUp));
    const inner = connect(path);
    sockets.add(inner);
    inner.on("error", () => {});
    socket.pipe(inner).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgresql://unroll@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    /** Breaks all connections, and so many new ones. */
    cut(next: number) {
      refusals = next;
      for (const socket of sockets) socket.destroy();
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
    const nothing = { value: null, usage: noTokenUsage, cost: null, uncachedCost: null, changes: null, error: null };

    async function cut(next: number): Promise<unknown> {
      await using gate = await openGate(toSocket(server.url), 1_000);
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
