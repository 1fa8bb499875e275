import { existsSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPrograms } from "@unroll/process-tree";
import type { McpTool } from "@unroll/protocol";
import { describe, expect, it } from "vitest";
import {
  createLatch,
  createManualClock,
  never,
  openFixture,
  summarise,
  untilLogged,
  variables,
} from "./fixture/open-fixture.ts";
import { fakeServer, stdioServer } from "./fixture/servers.ts";

const echo = { name: "echo", inputSchema: { type: "object" } };
const onlyEcho = { enabledTools: ["echo"] };
const echoOf = (server: string): McpTool => ({
  name: `mcp__${server}__echo`,
  server,
  tool: "echo",
  description: "",
  parameters: { type: "object", properties: {} },
  readOnly: false,
});

describe("the first request", () => {
  it("leaves after the grace without the slow server, and every outcome is an event", async () => {
    const latch = await createLatch();
    const { call, view, takeEvents } = await openFixture({
      servers: [
        fakeServer("one", {}, onlyEcho),
        fakeServer("two", {}, onlyEcho),
        fakeServer("slow", { latch: latch.path }, onlyEcho),
        fakeServer("broken", { exitCode: 3, complaint: "no config" }),
      ],
    });
    await Promise.all(["one", "two", "broken"].map((server) => call(server, "echo")));

    expect(await view.whenReady({ graceMs: 0, waitForAll: false, signal: never })).toEqual({
      type: "ready",
      tools: [echoOf("one"), echoOf("two")],
    });
    const events = takeEvents();
    expect(summarise(events).toSorted()).toEqual([
      "broken: failed",
      "broken: starting",
      "one: ready",
      "one: starting",
      "slow: delayed",
      "slow: starting",
      "two: ready",
      "two: starting",
    ]);
    expect(view.takeAnnouncements()).toEqual([]);

    latch.release();
    await call("slow", "echo");
    expect(summarise(takeEvents())).toEqual(["slow: ready"]);
    expect(view.takeAnnouncements()).toEqual([
      { server: "slow", reason: "late", added: [echoOf("slow")], changed: [], removed: [] },
    ]);
    expect(view.takeAnnouncements()).toEqual([]);
  });

  it("leaves as soon as all servers are up, whatever the grace", async () => {
    const { view } = await openFixture({ servers: [fakeServer("one", {}, onlyEcho)] });
    const readiness = await view.whenReady({ graceMs: 2 ** 31 - 1, waitForAll: false, signal: never });
    expect(readiness).toEqual({ type: "ready", tools: [echoOf("one")] });
  });

  it("waits for all where that is wanted", async () => {
    const latch = await createLatch();
    const { view } = await openFixture({ servers: [fakeServer("slow", { latch: latch.path }, onlyEcho)] });
    const waiting = view.whenReady({ graceMs: 0, waitForAll: true, signal: never });
    latch.release();
    expect(await waiting).toEqual({ type: "ready", tools: [echoOf("slow")] });
  });

  it("waits for a required server beyond the grace", async () => {
    const latch = await createLatch();
    const { view } = await openFixture({
      servers: [fakeServer("slow", { latch: latch.path }, { ...onlyEcho, required: true })],
    });
    const waiting = view.whenReady({ graceMs: 0, waitForAll: false, signal: never });
    latch.release();
    expect(await waiting).toEqual({ type: "ready", tools: [echoOf("slow")] });
  });

  it("is not opened if a required server fails, which is reported at once", async () => {
    const latch = await createLatch();
    const { view, takeEvents } = await openFixture({
      servers: [
        fakeServer("slow", { latch: latch.path }),
        fakeServer("broken", { exitCode: 3, complaint: "no config" }, { required: true }),
      ],
    });
    const message = 'MCP server "broken": it ended before it answered (exit code 3).';
    expect(await view.whenReady({ graceMs: 2 ** 31 - 1, waitForAll: true, signal: never })).toEqual({
      type: "required_failed",
      server: "broken",
      failure: { type: "failed", code: "server_died", message: `${message} The end of its stderr:\nno config` },
    });
    expect(takeEvents().at(-1)).toEqual({
      type: "mcp.server_updated",
      server: "broken",
      state: { type: "failed", required: true, code: "server_died", message, stderr_tail: "no config" },
    });
  });

  it("is not waited for any more after an abort", async () => {
    const latch = await createLatch();
    const { view } = await openFixture({ servers: [fakeServer("slow", { latch: latch.path })] });
    const signal = AbortSignal.abort();
    expect(await view.whenReady({ graceMs: 0, waitForAll: true, signal })).toEqual({ type: "aborted" });
  });
});

describe("a start", () => {
  it("says which program is missing", async () => {
    const { call } = await openFixture({ servers: [stdioServer("absent", [], { command: "no-such-program" })] });
    expect(await call("absent", "echo")).toEqual({
      type: "failed",
      code: "not_started",
      message: 'MCP server "absent": there is no program no-such-program on its PATH: install it, or correct command.',
    });
  });

  it("names a program that a project can have put there, and does not start it", async () => {
    using folder = mkdtempDisposableSync("/var/tmp/unroll-mcp-");
    const planted = join(folder.path, "node_modules/.bin");
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, "helper"), `#!/bin/sh\ntouch ${folder.path}/ran\n`, { mode: 0o755 });
    const { call } = await openFixture({
      servers: [stdioServer("planted", [], { command: "helper" })],
      variables: { ...variables, programs: () => openPrograms({ env: { PATH: planted }, cwd: folder.path }) },
    });
    expect(await call("planted", "echo")).toEqual({
      type: "failed",
      code: "not_started",
      message:
        `MCP server "planted": ${planted}/helper is not started, since a project can put programs there: ` +
        "if you want that one, name its whole path in command.",
    });
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });

  it("says which working folder is missing", async () => {
    const { call } = await openFixture({ servers: [fakeServer("lost", {}, { cwd: "/proc/no/such/folder" })] });
    expect(await call("lost", "echo")).toEqual({
      type: "failed",
      code: "not_started",
      message: 'MCP server "lost": its working folder /proc/no/such/folder does not exist: correct cwd.',
    });
  });

  it("that takes too long says what came instead of an answer", async () => {
    const clock = createManualClock();
    const { call, folder } = await openFixture({
      servers: [fakeServer("mute", { deafTo: "initialize", banner: "Ready on port 80" }, { startupTimeoutMs: 700 })],
      sleep: clock.sleep,
    });
    const outcome = call("mute", "echo");
    await untilLogged(join(folder, "logs", "mute.log"), "Ready on port 80");
    clock.expire();
    expect(await outcome).toEqual({
      type: "failed",
      code: "timed_out",
      message:
        'MCP server "mute": it was not ready within 0.7 s (what came instead: 1 lines on stdout that are no JSON-RPC, the first: "Ready on port 80"): raise startup_timeout_sec, or run its command by hand to see what it waits for.',
    });
  });

  it("survives a banner on stdout", async () => {
    const { ready } = await openFixture({ servers: [fakeServer("loud", { banner: "Welcome!" }, onlyEcho)] });
    expect(await ready()).toEqual([echoOf("loud")]);
  });

  it("reads the tools of all pages", async () => {
    const { ready } = await openFixture({
      servers: [
        fakeServer("paged", { tools: [{ ...echo, name: "first" }], paged: true }, { enabledTools: ["first", "echo"] }),
      ],
    });
    expect((await ready()).map(({ tool }) => tool)).toEqual(["echo", "first"]);
  });

  it("of a server without tools is a start", async () => {
    const { ready, view } = await openFixture({ servers: [fakeServer("bare", { withoutTools: true })] });
    expect(await ready()).toEqual([]);
    expect(view.servers()).toEqual([{ id: "bare", state: "ready", tools: [], tokens: 0, failure: null }]);
  });

  it("of a server that is not enabled never happens", async () => {
    const { ready, call, view, takeEvents } = await openFixture({
      servers: [fakeServer("off", {}, { enabled: false })],
    });
    expect(await ready()).toEqual([]);
    expect(takeEvents()).toEqual([]);
    expect(view.servers()).toEqual([{ id: "off", state: "disabled", tools: [], tokens: 0, failure: null }]);
    expect(await call("off", "echo")).toEqual({
      type: "failed",
      code: "unknown_server",
      message: 'There is no MCP server "off" that is enabled. The servers are: none.',
    });
  });
});
