import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type QueueError, runWorker, type WorkerOptions } from "@unroll/queue";
import { serverKinds, startPostgres } from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";

const clock: WorkerOptions["clock"] = {
  now: Date.now,
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => {});
  },
  setTimer(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** As a server that was just started again says it. */
const startingUp = toError("the database system is starting up");

function toError(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P03\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A way to a server that is shut behind so many connections. */
async function openGate(path: string, most: number) {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if ((count += 1) > most) return void socket.once("data", () => socket.end(startingUp));
    const inner = connect(path);
    sockets.add(inner);
    inner.on("error", () => {});
    socket.pipe(inner).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgresql://unroll@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
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
    const folder = new URLSearchParams(server.url.split("?")[1]).get("host");
    const path = `${folder}/.s.PGSQL.5432`;
    const outcomes: string[] = [];
    for (let most = 0; outcomes.at(-1) !== "started"; most++) {
      await using gate = await openGate(path, most);
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
