import { describe, expect, it } from "vitest";
import { estimateToolTokens } from "@unroll/mcp";
import { openFixture } from "./fixture/open-fixture.ts";
import { fakeServer } from "./fixture/servers.ts";

const schema = { type: "object" };
const named = (...names: string[]): { name: string; inputSchema: unknown }[] =>
  names.map((name) => ({ name, inputSchema: schema }));
const bulky = (length: number): { name: string; description: string; inputSchema: unknown } => ({
  name: "bulky",
  description: "x".repeat(length),
  inputSchema: schema,
});

describe("a tool's name", () => {
  it("is server and tool, sorted, in the characters that the API takes", async () => {
    const tools = named("b", "a.c", "a b", "é");
    const { ready } = await openFixture({
      servers: [
        fakeServer("zoo", { tools }, { enabledTools: tools.map(({ name }) => name) }),
        fakeServer("ark", { tools }, { enabledTools: ["b"] }),
      ],
    });
    expect((await ready()).map(({ name, server, tool }) => [name, server, tool])).toEqual([
      ["mcp__ark__b", "ark", "b"],
      ["mcp__zoo___", "zoo", "é"],
      ["mcp__zoo__a_b", "zoo", "a b"],
      ["mcp__zoo__a_c", "zoo", "a.c"],
      ["mcp__zoo__b", "zoo", "b"],
    ]);
  });

  it("that holds a credential leaves the tool out, and descriptions are masked", async () => {
    const tools = [
      ...named("a", "the-key"),
      { name: "b", description: "Takes the-key.", inputSchema: { type: "object", properties: {} } },
    ];
    const { ready, takeEvents } = await openFixture({
      mask: (text) => text.replaceAll("the-key", "[masked]"),
      servers: [fakeServer("zoo", { tools }, { enabledTools: tools.map(({ name }) => name) })],
    });
    const found = (await ready()).map(({ name, description }) => [name, description]);
    expect([found.map(([name]) => name), found[1]]).toEqual([
      ["mcp__zoo__a", "mcp__zoo__b"],
      ["mcp__zoo__b", "Takes [masked]."],
    ]);
    expect(takeEvents().filter(({ type }) => type === "mcp.tool_adapted")).toMatchObject([
      { server: "zoo", tool: "[masked]", name: null, reason: "its name holds a credential" },
    ]);
  });

  it("over 64 characters ends in a hash, with an event", async () => {
    const long = `tool-${"x".repeat(80)}`;
    const tools = named(`${long}1`, `${long}2`);
    const { ready, takeEvents } = await openFixture({
      servers: [fakeServer("zoo", { tools }, { enabledTools: tools.map(({ name }) => name) })],
    });
    const names = (await ready()).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^mcp__zoo__tool-x{40}_[0-9a-f]{8}$/);
    expect(takeEvents().filter(({ type }) => type === "mcp.tool_adapted")).toEqual(
      [`${long}1`, `${long}2`].map((tool) => ({
        type: "mcp.tool_adapted",
        server: "zoo",
        tool,
        name: expect.stringMatching(/_[0-9a-f]{8}$/),
        reason: "its name is longer than the 64 characters that the model API takes",
      })),
    );
  });

  it("that would equal another's gets a hash, in any order, with an event", async () => {
    const [forth, back] = [named("a.b", "a_b", "a b"), named("a b", "a_b", "a.b")];
    const enabledTools = ["a.b", "a_b", "a b"];
    const lists = await Promise.all(
      [forth, back].map(async (tools) => {
        const { ready, takeEvents } = await openFixture({ servers: [fakeServer("zoo", { tools }, { enabledTools })] });
        return [await ready(), takeEvents().filter(({ type }) => type === "mcp.tool_adapted").length];
      }),
    );
    expect(lists[0]).toEqual(lists[1]);
    const hashed = { name: expect.stringMatching(/^mcp__zoo__a_b_[0-9a-f]{8}$/) };
    expect(lists[0]).toMatchObject([[{ tool: "a_b", name: "mcp__zoo__a_b" }, hashed, hashed], 2]);
  });

  it("is unique among servers whose ids are much alike", async () => {
    const ids = ["a", "a_", "a__b", "a b", "a.b", "a_b"];
    const tools = named("c", "_c", "b__c", "_b__c");
    const enabledTools = tools.map(({ name }) => name);
    const { ready } = await openFixture({ servers: ids.map((id) => fakeServer(id, { tools }, { enabledTools })) });
    const names = (await ready()).map(({ name }) => name);
    expect(new Set(names).size).toBe(ids.length * tools.length);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  });
});

describe("the thread's tools", () => {
  it("are those that the config leaves", async () => {
    const { ready } = await openFixture({
      servers: [
        fakeServer("some", {}, { enabledTools: ["echo", "die", "absent"], disabledTools: ["die"] }),
        fakeServer("none", {}, { enabledTools: [] }),
      ],
    });
    expect((await ready()).map(({ name }) => name)).toEqual(["mcp__some__echo"]);
  });

  it("tell what the server says of them", async () => {
    const tools = [
      {
        name: "read",
        title: "Read it",
        description: "Reads.",
        inputSchema: schema,
        annotations: { readOnlyHint: true },
      },
      {
        name: "titled",
        title: "A title",
        inputSchema: { ...schema, properties: { a: { type: "string" } }, required: ["a"] },
      },
    ];
    const { ready } = await openFixture({
      servers: [fakeServer("zoo", { tools }, { enabledTools: ["read", "titled"] })],
    });
    expect(await ready()).toEqual([
      {
        name: "mcp__zoo__read",
        server: "zoo",
        tool: "read",
        description: "Reads.",
        parameters: { type: "object", properties: {} },
        readOnly: true,
      },
      {
        name: "mcp__zoo__titled",
        server: "zoo",
        tool: "titled",
        description: "A title",
        parameters: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        readOnly: false,
      },
    ]);
  });

  it("leave out a tool with a schema that is not an object, with an event", async () => {
    const bad = [
      { name: "text", inputSchema: { type: "string" } },
      { name: "list", inputSchema: [] },
      { name: "nothing", inputSchema: null },
      { name: "missing" },
      { name: "task", inputSchema: schema, execution: { taskSupport: "required" } },
      { title: "no name" },
      "no object",
    ];
    const { ready, takeEvents } = await openFixture({
      servers: [fakeServer("odd", { tools: bad }, { disabledTools: [] })],
    });
    const tools = (await ready()).map(({ tool }) => tool);
    expect(tools).toContain("echo");
    expect(tools).not.toEqual(expect.arrayContaining(["text"]));
    expect(takeEvents().filter(({ type }) => type === "mcp.tool_adapted")).toEqual(
      [
        ["text", "its input schema describes no object"],
        ["list", "its input schema is not an object"],
        ["nothing", "its input schema is not an object"],
        ["missing", "its input schema is not an object"],
        ["task", "it can only be run as a task, which is not supported"],
      ].map(([tool, reason]) => ({ type: "mcp.tool_adapted", server: "odd", tool, name: null, reason })),
    );
  });

  it("leave out the biggest servers where all together are too large, and these are announced", async () => {
    const servers = ["small", "big", "bigger"].map((id, index) =>
      fakeServer(id, { tools: [bulky(index * 1_000)] }, { enabledTools: ["bulky"] }),
    );
    const { ready, view, takeEvents } = await openFixture({ servers, maxSchemaTokens: 400 });
    expect((await ready()).map(({ name }) => name)).toEqual(["mcp__big__bulky", "mcp__small__bulky"]);
    const tokens = view.servers().find(({ id }) => id === "bigger")?.tokens;
    expect(takeEvents()).toContainEqual({
      type: "mcp.server_updated",
      server: "bigger",
      state: { type: "left_out", tokens, max_tokens: 400 },
    });
    expect(view.takeAnnouncements()).toMatchObject([
      { server: "bigger", reason: "size", added: [{ name: "mcp__bigger__bulky" }] },
    ]);
    expect(view.tools().map(({ name }) => name)).toEqual([
      "mcp__big__bulky",
      "mcp__bigger__bulky",
      "mcp__small__bulky",
    ]);
  });

  it("cost about a token for 4 bytes", () => {
    const tool = { name: "mcp__a__b", description: "x".repeat(400), parameters: { type: "object", properties: {} } };
    expect(estimateToolTokens(tool)).toBe(
      Math.ceil((400 + JSON.stringify({ type: "function", ...tool, description: "", strict: false }).length) / 4),
    );
  });

  it("stay as they are when the server's list changes: a call that changes it returns when that can be announced", async () => {
    const { ready, call, view, takeEvents } = await openFixture({ servers: [fakeServer("moody")] });
    const before = await ready();
    takeEvents();
    await call("moody", "hide");
    expect(takeEvents()).toEqual([
      {
        type: "mcp.server_updated",
        server: "moody",
        state: { type: "tools_changed", added: [], removed: ["mcp__moody__echo"], changed: [] },
      },
    ]);
    expect(view.takeAnnouncements()).toMatchObject([
      { added: [], changed: [], removed: [{ name: "mcp__moody__echo" }] },
    ]);
    expect(await call("moody", "echo")).toMatchObject({ type: "failed", code: "unknown_tool" });
    await call("moody", "hide");
    expect(takeEvents()).toMatchObject([
      { state: { type: "tools_changed", added: ["mcp__moody__echo"], removed: [], changed: [] } },
    ]);
    expect(view.takeAnnouncements()).toMatchObject([
      { added: [{ name: "mcp__moody__echo" }], changed: [], removed: [] },
    ]);
    expect(view.tools()).toEqual(before);
  });
});
