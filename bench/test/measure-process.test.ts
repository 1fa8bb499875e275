import { spawn } from "node:child_process";
import { once } from "node:events";
import { execPath } from "node:process";
import { expect, test } from "vitest";
import { readCpu } from "../src/measure-process.ts";

test.runIf(process.platform === "linux")("the CPU time of a process without children is its own", async () => {
  const program =
    'const end = performance.now() + 60; while (performance.now() < end); console.log("up"); process.stdin.resume()';
  const child = spawn(execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  const cpu = readCpu(child.pid ?? 0);
  child.stdin.end();
  await ended;
  expect(cpu).toBeGreaterThan(0);
});
