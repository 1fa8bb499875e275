import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));

it("inherited descriptors are closed, except those that the harness keeps", async () => {
  const program = `
    const { scrubInheritedFds } = await import(${JSON.stringify(source)});
    const { existsSync } = await import("node:fs");
    const closed = scrubInheritedFds([201]);
    console.log(JSON.stringify([closed.includes(200), [200, 201].map((fd) => existsSync("/proc/self/fd/" + fd))]));`;
  const child = spawn(
    "bash",
    [
      "-c",
      'exec 200</ 201</; exec "$@"',
      "bash",
      process.execPath,
      "-C",
      "@unroll/source",
      "--input-type=module",
      "-e",
      program,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  expect(JSON.parse(await text(child.stdout))).toEqual([true, [false, true]]);
});
