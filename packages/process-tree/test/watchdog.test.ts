import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createWatchdog } from "@unroll/process-tree";
import { expect, it } from "vitest";
import { createFolder, living, untilGone } from "./fixture/processes.ts";

const doomed = fileURLToPath(import.meta.resolve("./fixture/doomed-harness.ts"));
const doomedNamespace = fileURLToPath(import.meta.resolve("./fixture/doomed-namespace.ts"));

it.for([
  ["at once", 0, "itself"],
  ["after a grace for SIGTERM, which it ignores", 50, "itself"],
  ["at once, where its watchdog had started it", 0, "watchdog"],
] as const)("a tree ends when its harness is killed: %s", async ([, graceMs, starter]) => {
  const harness = spawn(process.execPath, ["-C", "@unroll/source", doomed, String(graceMs), starter], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(harness.stdout, "data")) as [Buffer];
  const pids = JSON.parse(String(line)) as number[];
  harness.kill("SIGKILL");
  await expect(untilGone(pids)).resolves.toBeUndefined();
});

it("a watchdog that was never started closes, and one that watches nothing any more does so at once", async () => {
  const watchdog = createWatchdog("nobody.", 0);
  await watchdog.close();
  watchdog.start();
  watchdog.watch(-(2 ** 30));
  watchdog.forget(-(2 ** 30));
  await expect(watchdog.close()).resolves.toBeUndefined();
});

it.for(["perl", "shell"])(
  "a namespace ends with its harness by its process 1, which left the group and has no environment: watched by %s",
  async (how) => {
    const folder = await createFolder();
    const harness = spawn(process.execPath, ["-C", "@unroll/source", doomedNamespace, folder, how], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(harness.stdout, "data")) as [Buffer];
    const pids = [Number(String(line))];
    expect(living(pids)).toEqual(pids);
    harness.kill("SIGKILL");
    await expect(untilGone(pids)).resolves.toBeUndefined();
  },
);
