import type { McpElicitation, McpEvent, McpView } from "@unroll/mcp";
import type { McpCallOutcome } from "@unroll/protocol";
import { describe, expect, it } from "vitest";
import { createLatch, never, openFixture, summarise, textOf } from "./fixture/open-fixture.ts";
import { fakeServer } from "./fixture/servers.ts";

const onlyEcho = { enabledTools: ["echo"] };
const noWait = { graceMs: 0, waitForAll: false, signal: never };

function listenTo(view: McpView): readonly McpEvent[] {
  const events: McpEvent[] = [];
  view.onEvent((event) => events.push(event));
  return events;
}

function callIn(view: McpView, server: string, tool: string): Promise<McpCallOutcome> {
  return view.call({ server, tool, arguments: {} }, { signal: never, onProgress: () => {} });
}

describe("a thread that joins a pool", () => {
  it("uses the servers that run: none is started again", async () => {
    const { pool, call } = await openFixture({ servers: [fakeServer("one")] });
    const first = textOf(await call("one", "identity"));
    expect(textOf(await callIn(pool.join({}), "one", "identity"))).toBe(first);
  });

  it("gets earlier events of the servers once, and later ones as they happen", async () => {
    const { pool, view, ready } = await openFixture({
      servers: [fakeServer("one", {}, { enabledTools: ["echo", "die"] })],
    });
    await ready();
    const late = pool.join({});
    const events = listenTo(late);
    expect(summarise(events)).toEqual(["one: starting", "one: ready"]);
    expect(summarise(listenTo(late))).toEqual([]);

    // Nobody does anything in this view: its events are reported anyway.
    const closed = Promise.withResolvers<void>();
    late.onEvent((event) => event.type === "mcp.server_updated" && event.state.type === "closed" && closed.resolve());
    await callIn(view, "one", "die");
    await closed.promise;
    await callIn(view, "one", "echo");
    expect(summarise(events)).toEqual(["one: starting", "one: ready", "one: closed", "one: starting", "one: ready"]);
  });

  it("settles a list of its own and gets its own announcements", async () => {
    const latch = await createLatch();
    const { pool, view, call, takeEvents } = await openFixture({
      servers: [fakeServer("one", {}, onlyEcho), fakeServer("slow", { latch: latch.path }, onlyEcho)],
    });
    await call("one", "echo");
    await view.whenReady(noWait);
    latch.release();
    await call("slow", "echo");
    takeEvents();

    const second = pool.join({});
    expect(await second.whenReady(noWait)).toMatchObject({ tools: [{ server: "one" }, { server: "slow" }] });
    const small = pool.join({ maxSchemaTokens: 0 });
    const events = listenTo(small);
    expect(await small.whenReady(noWait)).toEqual({ type: "ready", tools: [] });
    expect(summarise(events).slice(-2)).toEqual(["one: left_out", "slow: left_out"]);
    expect(takeEvents()).toEqual([]);

    expect(view.takeAnnouncements()).toMatchObject([{ server: "slow", reason: "late" }]);
    expect(second.takeAnnouncements()).toEqual([]);
    expect(small.takeAnnouncements()).toMatchObject([
      { server: "one", reason: "size" },
      { server: "slow", reason: "size" },
    ]);
  });

  it("leaves without disturbing the other: its own calls are cancelled, its events end", async () => {
    const { pool, view, ready, call, takeEvents } = await openFixture({ servers: [fakeServer("one")] });
    await ready();
    const leaving = pool.join({});
    const events = listenTo(leaving);
    const running = callIn(leaving, "one", "silent");
    await call("one", "echo");
    leaving.close();
    expect(await running).toMatchObject({ type: "failed", code: "cancelled" });
    expect(await callIn(leaving, "one", "echo")).toMatchObject({ type: "failed", code: "cancelled" });
    expect(await leaving.whenReady(noWait)).toEqual({ type: "aborted" });

    const before = events.length;
    takeEvents();
    await call("one", "die");
    expect(textOf(await call("one", "echo"))).toBe("{}");
    expect(summarise(takeEvents())).toEqual(["one: closed", "one: starting", "one: ready"]);
    expect(events).toHaveLength(before);
    expect(view.servers()).toMatchObject([{ state: "ready" }]);
  });

  it("sees its calls fail when the pool ends", async () => {
    const { pool, ready, call, view } = await openFixture({ servers: [fakeServer("one")] });
    await ready();
    const calls = [call("one", "silent"), callIn(pool.join({}), "one", "silent")];
    await callIn(view, "one", "echo");
    await pool[Symbol.asyncDispose]();
    expect((await Promise.all(calls)).map(({ type }) => type)).toEqual(["failed", "failed"]);
  });
});

describe("a thread that is resumed", () => {
  it("waits for nobody and announces only what it does not know", async () => {
    const first = await openFixture({ servers: [fakeServer("old", {}, onlyEcho)] });
    const known = { listed: await first.ready(), told: null };
    const latch = await createLatch();
    const { view, call } = await openFixture({
      known,
      servers: [
        fakeServer("old", { latch: latch.path }, { enabledTools: ["echo", "silent"] }),
        fakeServer("new", {}, onlyEcho),
      ],
    });
    expect(await view.whenReady({ graceMs: 0, waitForAll: true, signal: never })).toEqual({ type: "ready", tools: [] });
    expect(view.takeAnnouncements()).toEqual([]);
    await call("new", "echo");
    expect(view.takeAnnouncements()).toMatchObject([{ server: "new", reason: "late", added: [{ tool: "echo" }] }]);
    latch.release();
    expect(textOf(await call("old", "echo"))).toBe("{}");
    expect(view.takeAnnouncements()).toMatchObject([{ server: "old", reason: "late", added: [{ tool: "silent" }] }]);
    expect(view.takeAnnouncements()).toEqual([]);
  });

  it("does not get an announcement twice", async () => {
    const { pool, view, ready } = await openFixture({ servers: [fakeServer("one", {}, onlyEcho)], maxSchemaTokens: 0 });
    const listed = await ready();
    expect(view.takeAnnouncements()).toMatchObject([{ added: [{ name: "mcp__one__echo" }] }]);
    const told = view.known();
    expect([listed, told]).toMatchObject([[], [{ name: "mcp__one__echo", server: "one", tool: "echo" }]]);
    view.close();
    const resumed = pool.join({ known: { listed, told } });
    await callIn(resumed, "one", "echo");
    expect(resumed.takeAnnouncements()).toEqual([]);
  });

  it("gets the removal of tools: of a server that runs without them, and of one that is no longer in the config", async () => {
    const first = await openFixture({ servers: [fakeServer("one", {}, onlyEcho), fakeServer("two", {}, onlyEcho)] });
    const listed = await first.ready();
    const latch = await createLatch();
    const servers = [fakeServer("one", { latch: latch.path }, { enabledTools: ["silent"] })];
    const { view, call } = await openFixture({ servers, known: { listed, told: null } });
    const nothing = { reason: "late", added: [], changed: [] };
    expect(view.takeAnnouncements()).toEqual([
      { ...nothing, server: "two", removed: [expect.objectContaining({ name: "mcp__two__echo" })] },
    ]);
    latch.release();
    await call("one", "echo"); // waits for it
    expect(view.takeAnnouncements()).toMatchObject([
      { server: "one", added: [{ tool: "silent" }], changed: [], removed: [{ name: "mcp__one__echo" }] },
    ]);
    expect(view.takeAnnouncements()).toEqual([]);
  });

  it("has nothing announced before it is known what it knows", async () => {
    const { view, call } = await openFixture({ servers: [fakeServer("plain", {}, onlyEcho)] });
    await call("plain", "echo");
    expect(view.takeAnnouncements()).toEqual([]);
    await view.whenReady(noWait);
    expect(view.takeAnnouncements()).toEqual([]);
  });
});

describe("a server's question", () => {
  const yes = { type: "accepted", values: { colour: "red" } } as const;

  it("goes to the view whose call runs", async () => {
    const asked: string[] = [];
    const ask = (who: string) => async () => (asked.push(who), yes);
    const { pool, call } = await openFixture({ servers: [fakeServer("curious")], elicit: ask("first") });
    const second = pool.join({ elicit: ask("second") });
    await callIn(second, "curious", "ask");
    await call("curious", "ask");
    expect(asked).toEqual(["second", "first"]);
  });

  it("is declined in a view that answers none, no matter which others exist", async () => {
    const { pool } = await openFixture({
      servers: [fakeServer("curious")],
      elicit: () => Promise.reject(new Error("asked")),
    });
    expect(JSON.parse(textOf(await callIn(pool.join({}), "curious", "ask")))).toEqual({ action: "decline" });
  });

  it("that could be for the call of another view is declined", async () => {
    const { pool, callUntil } = await openFixture({
      servers: [fakeServer("curious")],
      elicit: () => Promise.reject(new Error("the first was asked")),
    });
    const abort = new AbortController();
    const running = callUntil(abort.signal)("curious", "silent");
    const second = pool.join({ elicit: () => Promise.reject(new Error("the second was asked")) });
    expect(JSON.parse(textOf(await callIn(second, "curious", "ask")))).toEqual({ action: "decline" });
    abort.abort();
    await running;
  });

  it("is cancelled when its view leaves", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const elicit = (_form: McpElicitation, signal: AbortSignal): Promise<never> => {
      asked.resolve(signal);
      return new Promise(() => {});
    };
    const { pool } = await openFixture({ servers: [fakeServer("curious")] });
    const leaving = pool.join({ elicit });
    const running = callIn(leaving, "curious", "ask");
    const signal = await asked.promise;
    leaving.close();
    expect(await running).toMatchObject({ code: "cancelled" });
    expect(signal.aborted).toBe(true);
  });
});
