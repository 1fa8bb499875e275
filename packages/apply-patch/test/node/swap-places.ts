import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Two things that take turns at one path. */
export interface SwapPlaces {
  readonly place: string;
  /** The first and last thing at `place` is moved here meanwhile. */
  readonly inside: string;
  /** The other one, where it waits: a symbolic link, or something of the same kind. */
  readonly other: string;
  /** If a third party writes to `place` while it is empty, its file is moved to `${strays}-N`. */
  readonly strays: string;
}

/** Swaps them in a thread of its own, mostly as fast as it can; now and then it rests, so that a patch may get through. */
export async function startSwapping(places: SwapPlaces): Promise<AsyncDisposable> {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(swapper, { eval: true, workerData: { ...places, state } });
  const end = new Promise<Error | null>((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", () => resolve(null));
  });
  await once(worker, "message");
  return {
    async [Symbol.asyncDispose]() {
      Atomics.store(state, 0, 1);
      const error = await end;
      if (error !== null) throw error;
    },
  };
}

const swapper = `
const { renameSync } = require("node:fs");
const { parentPort, workerData: { place, inside, other, strays, state } } = require("node:worker_threads");
let strayCount = 0;
function move(from, to) {
  for (;;) {
    try { return renameSync(from, to); } catch (error) {
      // A patch takes a file away for a moment, to look at it.
      if (from === place && error.code === "ENOENT") continue;
      if (to !== place || !["EISDIR", "ENOTDIR", "ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
      putAside();
    }
  }
}
function putAside() {
  try { renameSync(place, strays + "-" + strayCount++); } catch (error) {
    // Its maker may have taken it away again.
    if (error.code !== "ENOENT") throw error;
  }
}
function pause(milliseconds) {
  Atomics.wait(state, 1, 0, milliseconds);
}
parentPort.postMessage("started");
for (let turn = 0; Atomics.load(state, 0) === 0; turn++) {
  move(place, inside);
  move(other, place);
  if (turn % 40 === 20) pause(turn % 3);
  move(place, other);
  move(inside, place);
  if (turn % 40 === 0) pause(turn % 7);
}
parentPort.close();
`;
