import type { McpElicitation } from "@unroll/mcp";
import type { FormAnswer } from "@unroll/protocol";
import { describe, expect, it } from "vitest";
import { createManualClock, openFixture, textOf } from "./fixture/open-fixture.ts";
import { fakeServer } from "./fixture/servers.ts";

const colour: McpElicitation = {
  server: "curious",
  message: "Which colour?",
  fields: [
    {
      name: "colour",
      title: "colour",
      description: "",
      isRequired: true,
      input: {
        type: "choice",
        isMultiple: false,
        minItems: 1,
        maxItems: 1,
        options: ["red", "blue"].map((value) => ({ value, title: value })),
      },
      defaultValue: null,
    },
  ],
};

describe("what a server asks of the person", () => {
  it.for([
    [
      { type: "accepted", values: { colour: "red" } },
      { action: "accept", content: { colour: "red" } },
    ],
    [{ type: "declined" }, { action: "decline" }],
    [{ type: "cancelled" }, { action: "cancel" }],
  ] as const)("is answered as the person does (%j)", async ([answer, result]) => {
    const asked: McpElicitation[] = [];
    const { call } = await openFixture({
      servers: [fakeServer("curious")],
      elicit: async (request) => {
        asked.push(request);
        return answer;
      },
    });
    expect(JSON.parse(textOf(await call("curious", "ask")))).toEqual(result);
    expect(asked).toEqual([colour]);
  });

  it("takes no time of the call", async () => {
    const answer = Promise.withResolvers<FormAnswer>();
    const isAsked = Promise.withResolvers<void>();
    const clock = createManualClock();
    const { ready, call } = await openFixture({
      servers: [fakeServer("curious"), fakeServer("mute")],
      sleep: clock.sleep,
      elicit: () => {
        isAsked.resolve();
        return answer.promise;
      },
    });
    await ready();
    const outcome = call("curious", "ask");
    await isAsked.promise;
    const silence = call("mute", "silent");
    await call("mute", "echo");
    clock.expire();
    expect(await silence).toMatchObject({ code: "timed_out" });
    answer.resolve({ type: "declined" });
    expect(JSON.parse(textOf(await outcome))).toEqual({ action: "decline" });
  });

  it("is asked no longer than its call lasts", async () => {
    const isCancelled = Promise.withResolvers<void>();
    const abort = new AbortController();
    const { callUntil } = await openFixture({
      servers: [fakeServer("curious")],
      elicit: (_request, signal) => {
        signal.addEventListener("abort", () => isCancelled.resolve());
        abort.abort();
        return new Promise(() => {});
      },
    });
    expect(await callUntil(abort.signal)("curious", "ask")).toMatchObject({ code: "cancelled" });
    await isCancelled.promise;
  });

  it("by an address to open is not offered", async () => {
    const { call } = await openFixture({
      servers: [fakeServer("curious")],
      elicit: () => Promise.reject(new Error("asked")),
    });
    expect(await call("curious", "ask", { mode: "url" })).toMatchObject({ type: "completed" });
  });
});

it("a server gets the roots", async () => {
  const { call } = await openFixture({ servers: [fakeServer("curious")], roots: ["/some/where", "/other place"] });
  expect(JSON.parse(textOf(await call("curious", "roots")))).toEqual({
    roots: [
      { uri: "file:///some/where", name: "where" },
      { uri: "file:///other%20place", name: "other place" },
    ],
  });
});
