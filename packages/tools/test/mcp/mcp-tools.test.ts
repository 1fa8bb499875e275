import type { McpCallOutcome, McpContent, McpFailureCode } from "@unroll/protocol";
import { createMcpGatewayTools, createMcpTools } from "@unroll/tools";
import { describe, expect, it } from "vitest";
import {
  createDenyingGate,
  createGate,
  createRuntime,
  functionCall,
  outputText,
  runCalls,
  type RunResult,
  withFacts,
} from "../fake-ports.ts";
import { completed, createFakeMcpClient, type FakeAnswers, text, toolOf } from "./fake-mcp-client.ts";

/** The base64 of bytes that begin so. */
function base64Of(head: string, length = 24): string {
  return Buffer.from(head.padEnd(length, "\0"), "latin1").toString("base64");
}

const pngData = base64Of("\x89PNG\r\n\x1a\n");
const png = { type: "image", data: pngData, mimeType: "image/png" } as const;

/** One call of the one tool of a server. */
async function callIt(answers: FakeAnswers, input: unknown = {}): Promise<RunResult> {
  const runtime = createRuntime(createMcpTools([toolOf("zoo", "feed")], createFakeMcpClient(answers)));
  return runCalls(runtime, [functionCall("mcp__zoo__feed", input)]);
}

function answerWith(content: readonly McpContent[], more?: Parameters<typeof completed>[1]): Promise<RunResult> {
  return callIt({ answer: completed(content, more) });
}

describe("a tool of a server", () => {
  it("is listed with the server's own schema", () => {
    const parameters = { type: "object", properties: { animal: { type: "string" } }, required: ["animal"] };
    const tools = [toolOf("zoo", "feed", { description: "Feeds.", parameters }), toolOf("zoo", "clean")];
    expect(createRuntime(createMcpTools(tools, createFakeMcpClient())).specs).toEqual([
      { type: "function", name: "mcp__zoo__feed", description: "Feeds.", strict: false, parameters },
      {
        type: "function",
        name: "mcp__zoo__clean",
        description: "The tool clean of the MCP server zoo.",
        strict: false,
        parameters: { type: "object", properties: {} },
      },
    ]);
  });

  it("is called by the names that config and server use, and the thread gets the events", async () => {
    const client = createFakeMcpClient();
    const runtime = createRuntime(
      createMcpTools([toolOf("zoo", "feed.animal", { name: "mcp__zoo__feed_animal" })], client),
    );
    const result = await runCalls(runtime, [functionCall("mcp__zoo__feed_animal", { animal: "lion" })]);
    expect(client.calls).toEqual([{ server: "zoo", tool: "feed.animal", arguments: { animal: "lion" } }]);
    expect(outputText(result)).toBe("done");
    const item = {
      id: "item_0",
      type: "mcp_tool_call",
      server: "zoo",
      tool: "feed.animal",
      arguments: { animal: "lion" },
      result: null,
      error: null,
      status: "in_progress",
    };
    expect(result.events).toEqual(
      withFacts([
        { type: "item.started", item },
        {
          type: "item.completed",
          item: { ...item, result: { content: [text("done")], structured_content: null }, status: "completed" },
        },
      ]),
    );
  });

  it("accepts an empty string as no arguments, and refuses input that is not a JSON object", async () => {
    expect(outputText(await callIt({}, ""))).toBe("done");
    for (const input of ["[1]", "null", '"x"', "{"])
      expect(outputText(await callIt({}, input))).toBe(
        "The call was not run: its arguments are no JSON object. Call it again with one JSON object.",
      );
  });

  it("runs beside others when it changes nothing, and alone when it does", async () => {
    const running: string[] = [];
    let most = 0;
    const answer = async (): Promise<McpCallOutcome> => {
      running.push("x");
      await Promise.resolve();
      most = Math.max(most, running.length);
      running.pop();
      return completed([text("done")]);
    };
    for (const [readOnly, expected] of [
      [true, 2],
      [false, 1],
    ] as const) {
      most = 0;
      const listed = [toolOf("zoo", "look", { readOnly: !readOnly })]; // what the server says now counts
      const client = createFakeMcpClient({ answer, tools: [toolOf("zoo", "look", { readOnly })] });
      const runtime = createRuntime(createMcpTools(listed, client));
      await runCalls(runtime, [functionCall("mcp__zoo__look", {}, "a"), functionCall("mcp__zoo__look", {}, "b")]);
      expect(most).toBe(expected);
    }
  });

  it("tells its progress, the latest at least", async () => {
    const progress = [1, 2, 3].map((done) => ({ done, total: 3, message: null }));
    const { events } = await callIt({ progress });
    const told = events.flatMap((event) =>
      event.type === "item.updated" && "progress" in event.item ? [event.item.progress] : [],
    );
    expect(told.at(-1)).toEqual(progress[2]);
    expect(events.at(-1)).toMatchObject({ type: "item.completed", item: { status: "completed" } });
  });

  it("that throws closes its item", async () => {
    const result = await callIt({ answer: () => Promise.reject(new Error("a bug")) });
    expect(result.events).toMatchObject([
      { type: "item.started" },
      {
        type: "item.completed",
        item: { status: "failed", error: { message: "The tool mcp__zoo__feed failed: a bug" } },
      },
    ]);
    expect(outputText(result)).toContain("a bug");
  });
});

describe("the gate", () => {
  const tools = [toolOf("zoo", "look", { readOnly: true }), toolOf("zoo", "feed")];

  it("gets each call by the server's own names, and whether the server marks it as read-only", async () => {
    const gate = createGate();
    const client = createFakeMcpClient({ tools });
    const runtime = createRuntime([...createMcpGatewayTools(client), ...createMcpTools(tools, client)], { gate });
    await runCalls(runtime, [
      functionCall("mcp__zoo__look", { at: "lion" }, "a"),
      functionCall("mcp_call", { server: "zoo", tool: "mcp__zoo__feed", arguments: {} }, "b"),
      functionCall("mcp_call", { server: "zoo", tool: "unheard-of", arguments: {} }, "c"),
      functionCall("mcp_search", { query: "lion" }, "d"),
      functionCall("list_mcp_resources", {}, "e"),
    ]);
    expect(gate.calls).toEqual([
      { type: "mcp", call: { server: "zoo", tool: "look", arguments: { at: "lion" } }, readOnly: true },
      { type: "mcp", call: { server: "zoo", tool: "feed", arguments: {} }, readOnly: false },
      { type: "mcp", call: { server: "zoo", tool: "unheard-of", arguments: {} }, readOnly: false },
      { type: "tool", tool: "mcp_search", arguments: { query: "lion" }, approval: "run" },
      { type: "tool", tool: "list_mcp_resources", arguments: {}, approval: "run" },
    ]);
  });

  it("gets the server's current mark of a tool, not the one from when the tool was listed", async () => {
    const gate = createGate();
    const now = [toolOf("zoo", "look"), toolOf("zoo", "feed", { readOnly: true })];
    for (const served of [now, []])
      await runCalls(createRuntime(createMcpTools(tools, createFakeMcpClient({ tools: served })), { gate }), [
        functionCall("mcp__zoo__look", {}, "a"),
        functionCall("mcp__zoo__feed", {}, "b"),
      ]);
    expect(gate.calls.map((call) => call.type === "mcp" && [call.call.tool, call.readOnly])).toEqual([
      ["look", false],
      ["feed", true],
      ["look", false],
      ["feed", false],
    ]);
  });

  it("says no, and the server is not called", async () => {
    const client = createFakeMcpClient({ tools });
    const runtime = createRuntime(createMcpTools(tools, client), { gate: createDenyingGate("Not now.") });
    const result = await runCalls(runtime, [functionCall("mcp__zoo__feed", {})]);
    expect(outputText(result)).toBe("The call was not run: Not now.");
    expect(result.events).toMatchObject([
      { type: "item.started", item: { status: "in_progress", error: null } },
      { type: "item.completed", item: { status: "declined", error: { message: "Not now." } } },
    ]);
    expect(client.calls).toEqual([]);
  });
});

describe("an answer", () => {
  it.for([
    ["texts", [text("one"), text("two")], {}, "one\ntwo"],
    ["nothing", [], {}, "The tool gave back nothing."],
    ["structured content alone", [], { structuredContent: { a: [1] } }, '{"a":[1]}'],
    [
      "structured content that the text repeats",
      [text('{\n "a": 1\n}')],
      { structuredContent: { a: 1 } },
      '{\n "a": 1\n}',
    ],
    ["structured content beside a text", [text("a sum")], { structuredContent: { a: 1 } }, 'a sum\n{"a":1}'],
    ["an error", [text("no lions")], { isError: true }, "The tool reported an error:\nno lions"],
    [
      "a sound",
      [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }],
      {},
      "[about 3 bytes of audio/wav that cannot be shown to you]",
    ],
    [
      "an image that the model does not take",
      [{ ...png, mimeType: "image/tiff" }],
      {},
      "[about 24 bytes of image/tiff that cannot be shown to you]",
    ],
    [
      "an image that is none",
      [{ ...png, data: base64Of("<html>") }],
      {},
      "[an image of about 24 bytes that cannot be shown to you: its bytes are no png, jpeg, gif or webp image]",
    ],
    [
      "an image that does not decode",
      [{ ...png, data: `${pngData.slice(0, -1)}!` }],
      {},
      "[an image of about 24 bytes that cannot be shown to you: it is no valid base64]",
    ],
    [
      "an image that is cut off in its base64",
      [{ ...png, data: pngData.slice(0, -1) }],
      {},
      "[an image of about 23 bytes that cannot be shown to you: it is no valid base64]",
    ],
    [
      "an image of no bytes",
      [{ ...png, data: "" }],
      {},
      "[an image of about 0 bytes that cannot be shown to you: it is no valid base64]",
    ],
    [
      "an image that is too large",
      [{ ...png, data: base64Of("\x89PNG\r\n\x1a\n", 6_000_000) }],
      {},
      "[an image of about 6000000 bytes that cannot be shown to you: it is larger than 5242880 bytes; ask for a smaller one]",
    ],
    [
      "a text with control characters",
      [text("a\u0000b \u001b[31mred\u001b[0m \u001b]0;title\u0007\u009bend\r\nnext\tline")],
      {},
      "ab red end\nnext\tline",
    ],
    [
      "a resource",
      [{ type: "resource", resource: { uri: "a:b", mimeType: "text/plain", text: "hi" } }],
      {},
      "[resource a:b, text/plain]\nhi",
    ],
    [
      "a resource of bytes",
      [{ type: "resource", resource: { uri: "a:b", blob: "AAAA" } }],
      {},
      "[resource a:b]\n[about 3 bytes of an unknown type that cannot be shown to you]",
    ],
    [
      "a link",
      [{ type: "resource_link", uri: "a:b", name: "B", description: "A letter" }],
      {},
      "[resource a:b: B, A letter; read_mcp_resource reads it]",
    ],
    ["a part of an unknown kind", [{ type: "unknown", value: { type: "hologram" } }], {}, '{"type":"hologram"}'],
  ] as const)("of %s is text", async ([, content, more, expected]) => {
    expect(outputText(await answerWith(content, more))).toBe(expected);
  });

  it("with an image is parts, in order", async () => {
    const { items } = await answerWith([
      text("look"),
      png,
      { type: "resource", resource: { uri: "a:b", mimeType: "image/png", blob: pngData } },
    ]);
    const image = { type: "input_image", image_url: `data:image/png;base64,${pngData}` };
    expect(items).toEqual([
      {
        type: "function_call_output",
        call_id: "call_1",
        output: [
          { type: "input_text", text: "look" },
          image,
          { type: "input_text", text: "[resource a:b, image/png]" },
          image,
        ],
      },
    ]);
  });

  it.for([
    ["image/png", "\x89PNG\r\n\x1a\n"],
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", "GIF89a"],
    ["image/webp", "RIFF\x10\n\0\0WEBP"],
  ] as const)("with an image has its type, %s, from its bytes, and no line breaks", async ([type, head]) => {
    const data = base64Of(head);
    const mimeType = type === "image/gif" ? "image/png" : "image/gif";
    const { items } = await answerWith([{ ...png, data: `${data.slice(0, 8)}\r\n${data.slice(8)}\n`, mimeType }]);
    expect(items).toMatchObject([{ output: [{ type: "input_image", image_url: `data:${type};base64,${data}` }] }]);
  });

  it("of a tool that failed is a failed item with the server's words", async () => {
    const { events } = await answerWith([text("no lions"), { type: "unknown", value: { odd: 1 } }], { isError: true });
    expect(events.at(-1)).toMatchObject({
      item: {
        status: "failed",
        error: { message: "no lions" },
        result: { content: [text("no lions"), { odd: 1 }], structured_content: null },
      },
    });
  });

  it("that never came says how to continue", async () => {
    const codes: readonly McpFailureCode[] = [
      "unknown_tool",
      "timed_out",
      "server_died",
      "too_large",
      "refused",
      "login_needed",
    ];
    for (const code of codes) {
      const result = await callIt({ answer: { type: "failed", code, message: "It\u0000 went\u001b[1m wrong." } });
      expect(outputText(result)).toMatch(/^It went wrong\.\n\S.*\.$/);
      expect(result.events.at(-1)).toMatchObject({
        item: { status: "failed", error: { message: expect.stringContaining("went") }, result: null },
      });
    }
  });
});

describe("the gateway", () => {
  it("has the same specs whatever servers there are", () => {
    const specs = createRuntime(createMcpGatewayTools(createFakeMcpClient())).specs;
    expect(createRuntime(createMcpGatewayTools(createFakeMcpClient({ tools: [toolOf("zoo", "feed")] }))).specs).toEqual(
      specs,
    );
    expect(specs.map((spec) => "name" in spec && spec.name)).toEqual([
      "mcp_call",
      "mcp_search",
      "list_mcp_resources",
      "list_mcp_resource_templates",
      "read_mcp_resource",
    ]);
    expect(specs[0]).toMatchObject({
      parameters: { type: "object", required: ["server", "tool", "arguments"], additionalProperties: false },
    });
  });

  it("calls any tool of any server, also by its long name", async () => {
    const client = createFakeMcpClient({ tools: [toolOf("zoo", "feed")] });
    const runtime = createRuntime(createMcpGatewayTools(client));
    for (const [index, tool] of ["feed", "mcp__zoo__feed", "unheard-of"].entries())
      await runCalls(runtime, [
        functionCall("mcp_call", { server: "zoo", tool, arguments: { a: 1 } }, `call_${index}`),
      ]);
    expect(client.calls.map(({ tool }) => tool)).toEqual(["feed", "feed", "unheard-of"]);
    expect(client.calls[0]).toEqual({ server: "zoo", tool: "feed", arguments: { a: 1 } });
  });

  it("says which of its own arguments do not fit", async () => {
    const runtime = createRuntime(createMcpGatewayTools(createFakeMcpClient()));
    expect(outputText(await runCalls(runtime, [functionCall("mcp_call", { server: "zoo", arguments: {} })]))).toContain(
      "tool: ",
    );
  });
});
