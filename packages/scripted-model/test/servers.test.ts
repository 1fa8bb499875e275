import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { execPath } from "node:process";
import { serverKinds } from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";

const fixture = new URL("fixture/servers.ts", import.meta.url).href;

const starts = { redis: "startRedis", postgres: "startPostgres" };

test.for([["redis"], ["postgres"]] as const)(
  "a test server on %s and its folder go with a process that is killed",
  async ([kind], context) => {
    context.skip(serverKinds[kind] !== null, serverKinds[kind] ?? "");
    const start = starts[kind];
    const script = `const { ${start} } = await import(${JSON.stringify(fixture)}); console.log((await ${start}()).url);`;
    const child = spawn(execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [folder = ""] =
      /\/[^?&]*unroll-[^/\s]*/.exec(decodeURIComponent(line.toString().replace(/^.*host=/, ""))) ?? [];
    expect(existsSync(folder)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(folder), { timeout: 60_000 }).toBe(false); // behind the end of the server
  },
);
