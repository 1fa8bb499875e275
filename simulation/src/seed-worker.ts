import { parentPort, workerData } from "node:worker_threads";
import { simulateSeeds } from "./simulate-seeds.ts";

// @boundaries-ignore it belongs to no package
parentPort?.postMessage(await simulateSeeds(workerData));
