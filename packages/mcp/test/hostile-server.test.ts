import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createManualClock, openFixture, summarise, textOf, untilLogged } from "./fixture/open-fixture.ts";
import { fakeServer, stdioServer, toSecret } from "./fixture/servers.ts";

const mebibyte = 1024 * 1024;

describe("a server that", () => {
  it("dies in a call fails the call with its last words, and is started again by the next one", async () => {
    const { ready, call, view, takeEvents } = await openFixture({ servers: [fakeServer("frail")] });
    await ready();
    takeEvents();
    expect(await call("frail", "die", { word: "ouch" })).toEqual({
      type: "failed",
      code: "server_died",
      message:
        'MCP server "frail": it ended before it answered (exit code 7). The end of its stderr:\nthe end is near: ouch',
    });
    expect(textOf(await call("frail", "echo", { again: true }))).toBe('{"again":true}');
    expect(summarise(takeEvents())).toEqual(["frail: closed", "frail: starting", "frail: ready"]);
    expect(view.takeAnnouncements()).toEqual([]);
  });

  it("dies fails every call that waits for it", async () => {
    const { ready, call } = await openFixture({ servers: [fakeServer("frail")] });
    await ready();
    const outcomes = await Promise.all([call("frail", "silent"), call("frail", "silent"), call("frail", "die")]);
    expect(outcomes.map((outcome) => outcome.type === "failed" && outcome.code)).toEqual(Array(3).fill("server_died"));
  });

  it("writes garbage to stdout is still understood", async () => {
    const { call } = await openFixture({ servers: [fakeServer("loud")] });
    expect(textOf(await call("loud", "garbage"))).toBe("after the garbage");
  });

  it("answers with another id times out, with a message about it", async () => {
    const clock = createManualClock();
    const servers = [fakeServer("confused", {}, { toolTimeoutMs: 200 })];
    const { ready, call } = await openFixture({ servers, sleep: clock.sleep });
    await ready();
    const outcome = call("confused", "stranger");
    await call("confused", "echo");
    clock.expire();
    expect(await outcome).toEqual({
      type: "failed",
      code: "timed_out",
      message:
        'MCP server "confused": stranger did not answer within 0.2 s (what came instead: 1 answers to requests that were never made); it may still be at work. tool_timeout_sec sets the time.',
    });
  });

  it("never answers gets the end of the call, and is used again", async () => {
    const clock = createManualClock();
    const { ready, call } = await openFixture({ servers: [fakeServer("mute")], sleep: clock.sleep });
    await ready();
    const outcome = call("mute", "silent");
    await call("mute", "echo");
    clock.expire();
    expect(await outcome).toMatchObject({ type: "failed", code: "timed_out" });
    expect(JSON.parse(textOf(await call("mute", "cancelled")))).toEqual([2]);
  });

  it.for([true, false])("sends 100 MB fails that call alone, in bounded memory (id first: %s)", async (idFirst) => {
    const { ready, call } = await openFixture({ servers: [fakeServer("flood")] });
    await ready();
    const before = process.memoryUsage.rss();
    const [flood, other] = await Promise.all([
      call("flood", "flood", { megabytes: 100, idFirst }),
      call("flood", "echo"),
    ]);
    expect(flood).toMatchObject({ type: "failed", code: "too_large" });
    expect(textOf(other)).toBe("{}");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * mebibyte);
  });

  it("sends an answer that is too large and has no end fails that call at once", async () => {
    const { call } = await openFixture({ servers: [fakeServer("flood")], maxMessageBytes: 10_000 });
    expect(await call("flood", "flood", { megabytes: 1, idFirst: true, endless: true })).toEqual({
      type: "failed",
      code: "too_large",
      message: 'MCP server "flood": its answer is over the limit of 10000 bytes.',
    });
  });

  it("sends something too large without an end, to an unknown request, gets a message about it after the timeout", async () => {
    const clock = createManualClock();
    const settings = { servers: [fakeServer("flood")], maxMessageBytes: 10_000, sleep: clock.sleep };
    const { ready, call, folder } = await openFixture(settings);
    await ready();
    const outcome = call("flood", "flood", { megabytes: 1, endless: true });
    await untilLogged(join(folder, "logs", "flood.log"), "all of it is on its way");
    clock.expire();
    expect(await outcome).toMatchObject({
      code: "timed_out",
      message: expect.stringContaining("what came instead: a message that is too large, over the limit of 10000 bytes"),
    });
  });

  it.for([
    ["shapeless", "invalid_answer", "its answer is no JSON-RPC response."],
    [
      "wrong",
      "invalid_answer",
      "its answer does not fit the protocol: content: Invalid input: expected array, received string.",
    ],
    ["deep", "invalid_answer", "its answer is nested deeper than 200 levels."],
    ["refuse", "refused", "it refused the request: not like that (code -32602)."],
  ] as const)("answers out of shape (%s) fails the call", async ([tool, code, reason]) => {
    const { call } = await openFixture({ servers: [fakeServer("odd")] });
    expect(await call("odd", tool)).toEqual({ type: "failed", code, message: `MCP server "odd": ${reason}` });
  });

  it("answers with parts of unknown kinds has them kept", async () => {
    const { call } = await openFixture({ servers: [fakeServer("odd")] });
    expect(await call("odd", "everything")).toEqual({
      type: "completed",
      content: [
        { type: "text", text: "a text" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "unknown", value: { type: "hologram", depth: 3 } },
      ],
      structuredContent: { depth: 3 },
      isError: true,
    });
  });

  it("prints its credentials gets them masked in messages", async () => {
    const env = { API_TOKEN: toSecret("tok-1234567890") };
    const { ready, call, takeEvents } = await openFixture({ servers: [fakeServer("leaky", {}, { env })] });
    await ready();
    expect(await call("leaky", "die", { word: "tok-1234567890" })).toMatchObject({
      message: expect.stringContaining("the end is near: [secret]"),
    });
    expect(JSON.stringify(takeEvents())).not.toContain("tok-1234567890");
  });

  it("is not an MCP server at all fails to start", async () => {
    const { call } = await openFixture({
      servers: [stdioServer("cat", [], { command: "cat", startupTimeoutMs: 300 })],
    });
    expect(await call("cat", "echo")).toMatchObject({ type: "failed" });
  });
});

describe("a call", () => {
  it("that is cancelled ends at once and the server gets the cancellation", async () => {
    const { ready, call, callUntil } = await openFixture({ servers: [fakeServer("mute")] });
    await ready();
    const abort = new AbortController();
    const outcome = callUntil(abort.signal)("mute", "silent");
    const after = call("mute", "echo");
    await after;
    abort.abort();
    expect(await outcome).toEqual({
      type: "failed",
      code: "cancelled",
      message: 'MCP server "mute": the request was cancelled.',
    });
    expect(JSON.parse(textOf(await call("mute", "cancelled")))).toEqual([2]);
  });

  it("that is over is not cancelled by a later abort", async () => {
    const { call, callUntil } = await openFixture({ servers: [fakeServer("plain")] });
    const abort = new AbortController();
    await callUntil(abort.signal)("plain", "echo");
    abort.abort();
    expect(JSON.parse(textOf(await call("plain", "cancelled")))).toEqual([]);
  });

  it("that was cancelled before it began never reaches the server", async () => {
    const { call, callUntil } = await openFixture({ servers: [fakeServer("plain")] });
    expect(await callUntil(AbortSignal.abort())("plain", "die")).toMatchObject({ type: "failed", code: "cancelled" });
    expect(textOf(await call("plain", "echo"))).toBe("{}");
  });

  it("of an unknown server or tool says what there is", async () => {
    const { call } = await openFixture({ servers: [fakeServer("plain", {}, { enabledTools: ["echo", "die"] })] });
    expect(await call("other", "echo")).toEqual({
      type: "failed",
      code: "unknown_server",
      message: 'There is no MCP server "other" that is enabled. The servers are: plain.',
    });
    expect(await call("plain", "absent")).toMatchObject({ code: "unknown_tool" });
    expect(await call("plain", "silent")).toEqual({
      type: "failed",
      code: "unknown_tool",
      message: 'MCP server "plain": the config keeps silent from use (enabled_tools, disabled_tools).',
    });
  });

  it("tells its progress", async () => {
    const { call, progress } = await openFixture({ servers: [fakeServer("plain")] });
    await call("plain", "progress");
    expect(progress).toEqual([
      { done: 1, total: 2, message: "step 1" },
      { done: 2, total: 2, message: "step 2" },
    ]);
  });

  it("floods us with notices gets 100 of them read a second, and its answer as ever", async () => {
    const clock = createManualClock();
    const { call, progress } = await openFixture({ servers: [fakeServer("chatty")], sleep: clock.sleep });
    const input = { method: "notifications/progress", thousands: 2 };
    expect(textOf(await call("chatty", "chatter", input))).toBe("done");
    expect(progress).toHaveLength(100);
    clock.expire();
    expect(textOf(await call("chatty", "chatter", input))).toBe("done");
    expect(progress).toHaveLength(200);
  });
});
