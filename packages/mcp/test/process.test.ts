import { openPrograms } from "@unroll/process-tree";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createFolder, openFixture, textOf, variables } from "./fixture/open-fixture.ts";
import { compiled, fakeServer, toSecret } from "./fixture/servers.ts";

/** Resolves when the process is gone; the test's own time limit says when that takes too long. */
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(5);
}

/** The dead may wait long to be reaped here. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("a server's process", () => {
  it("has the environment and the working folder that it was given, and nothing of ours", async () => {
    process.env["UNROLL_TEST_KEY"] = "ours";
    const folder = await createFolder();
    const { call } = await openFixture({
      servers: [fakeServer("plain", {}, { cwd: folder, env: { TOKEN: toSecret("its own") } })],
      variables: { ...variables, programs: () => openPrograms({ env: { PATH: "/usr/bin", LANG: "C" }, cwd: "/" }) },
    });
    expect(JSON.parse(textOf(await call("plain", "environment")))).toEqual({
      PATH: "/usr/bin",
      LANG: "C",
      TOKEN: "its own",
      UNROLL_PROCESS_ID: expect.any(String),
    });
    expect(JSON.parse(textOf(await call("plain", "identity")))).toMatchObject({ cwd: folder });
    delete process.env["UNROLL_TEST_KEY"];
  });

  it.for([
    ["in its group", false],
    ["in a session of its own", true],
  ] as const)("is ended with what it started %s, even where SIGTERM is ignored", async ([, detached]) => {
    const { call, pool } = await openFixture({ servers: [fakeServer("parent", { stubborn: true })] });
    const { pid } = JSON.parse(textOf(await call("parent", "identity"))) as { pid: number };
    const child = Number(textOf(await call("parent", "breed", { detached })));
    await pool[Symbol.asyncDispose]();
    expect([isAlive(pid), isAlive(child)]).toEqual([false, false]);
  });

  it.for([false, true])("takes what it started with it when it dies (detached: %s)", async (detached) => {
    const { call } = await openFixture({ servers: [fakeServer("parent")] });
    const child = Number(textOf(await call("parent", "breed", { detached })));
    await call("parent", "die");
    await expect(untilGone(child)).resolves.toBeUndefined();
  });

  it("may end in its own way at the end of its input", async () => {
    const { pool, folder, call } = await openFixture({
      servers: [fakeServer("polite", { farewell: "goodbye" })],
      graces: { quietMs: 20_000 },
    });
    await call("polite", "echo");
    await pool[Symbol.asyncDispose]();
    expect(await readFile(join(folder, "logs", "polite.log"), "utf8")).toBe("goodbye\n");
  });

  it("is ended while it starts", async () => {
    const { pool, takeEvents } = await openFixture({ servers: [fakeServer("mute", { deafTo: "initialize" })] });
    await pool[Symbol.asyncDispose]();
    expect(takeEvents().map((event) => event.type === "mcp.server_updated" && event.state.type)).toEqual(["starting"]);
  });

  it("does not outlive a harness that is killed", async () => {
    const script = fileURLToPath(import.meta.resolve("./fixture/doomed-harness.ts"));
    const harness = spawn(process.execPath, ["--conditions=@unroll/source", script], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    });
    const [line] = (await once(harness.stdout, "data")) as [Buffer];
    const pids = JSON.parse(line.toString()) as readonly number[];
    harness.kill("SIGKILL");
    await expect(Promise.all(pids.map(untilGone))).resolves.toHaveLength(4);
  });
});

describe("a server's log", () => {
  it("holds what it wrote to stderr and what was no message, for its owner only", async () => {
    const { folder, call, pool } = await openFixture({
      servers: [fakeServer("talker", { complaint: "a complaint", banner: "a banner" })],
    });
    await call("talker", "echo");
    await pool[Symbol.asyncDispose]();
    const path = join(folder, "logs", "talker.log");
    expect((await readFile(path, "utf8")).trim().split("\n").toSorted()).toEqual(["[stdout] a banner", "a complaint"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("holds no credential of the harness", async () => {
    const { folder, call, pool } = await openFixture({
      mask: (text) => text.replaceAll("the-key", "[masked]"),
      servers: [fakeServer("talker", { complaint: "no the-key", banner: "with the-key" })],
    });
    await call("talker", "echo");
    await pool[Symbol.asyncDispose]();
    const log = await readFile(join(folder, "logs", "talker.log"), "utf8");
    expect(log.trim().split("\n").toSorted()).toEqual(["[stdout] with [masked]", "no [masked]"]);
  });

  it("is bounded", async () => {
    const { folder, call, pool } = await openFixture({
      servers: [fakeServer("talker", { complaint: "x".repeat(999), complaints: 5_000 })],
    });
    await call("talker", "echo");
    await pool[Symbol.asyncDispose]();
    const sizes = await Promise.all(["talker.log", "talker.log.old"].map((name) => stat(join(folder, "logs", name))));
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(2 * 1024 * 1024 + 2_000);
  });

  it("that cannot be written stops nobody", async () => {
    const { call } = await openFixture({
      servers: [fakeServer("talker", { complaint: "a complaint" })],
      logDirectory: "/dev/null/logs",
    });
    expect(textOf(await call("talker", "echo"))).toBe("{}");
  });
});
