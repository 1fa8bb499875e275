import type { KnownMcpTool } from "@unroll/protocol";
import { createToolRegistry, createToolRuntime, createUnlistedMcpTools } from "@unroll/tools";
import { expect, test } from "vitest";
import { createDenyingGate, createFakeClock, createGate, functionCall, outputText, runCalls } from "../fake-ports.ts";
import { createFakeMcpClient, type FakeMcpClient, toolOf } from "./fake-mcp-client.ts";

function open(client: FakeMcpClient, known: readonly KnownMcpTool[] = [], gate = createGate()) {
  const unlisted = { kept: [], ...createUnlistedMcpTools(client, () => known) };
  const registry = createToolRegistry([], unlisted);
  return createToolRuntime({ registry, gate, outputTokens: 10_000, clock: createFakeClock() });
}

const zoo = (count: number) => Array.from({ length: count }, (_, index) => toolOf("zoo", `tool_${index}`));

test("a tool that no request lists runs by its name, and the gate is asked as of any other", async () => {
  const client = createFakeMcpClient({ tools: [toolOf("zoo", "feed", { readOnly: true })] });
  const call = functionCall("mcp__zoo__feed", { a: 1 });
  const gate = createGate();
  const runtime = open(client, [], gate);
  expect(runtime.specs).toEqual([]);
  expect(outputText(await runCalls(runtime, [call]))).toBe("done");
  const wanted = { server: "zoo", tool: "feed", arguments: { a: 1 } };
  expect(gate.calls).toEqual([{ type: "mcp", call: wanted, readOnly: true }]);
  expect(client.calls).toEqual([wanted]);
  expect(outputText(await runCalls(open(client, [], createDenyingGate("No.")), [call]))).toContain("No.");
  expect(client.calls).toHaveLength(1);
});

test("a known tool is called even if its server is down, and the gate does not treat it as read-only", async () => {
  const client = createFakeMcpClient();
  const known = [{ name: "mcp__zoo__feed_1a2b3c4d", server: "zoo", tool: "feed the lions", mark: "" }];
  const gate = createGate();
  await runCalls(open(client, known, gate), [functionCall("mcp__zoo__feed_1a2b3c4d", {})]);
  const call = { server: "zoo", tool: "feed the lions", arguments: {} };
  expect(gate.calls).toEqual([{ type: "mcp", call, readOnly: false }]);
});

test.for([
  [
    "its server's, where that is up",
    "mcp__zoo__fly",
    zoo(2),
    "It has these, and each runs when you call it by its name: mcp__zoo__tool_0, mcp__zoo__tool_1.",
  ],
  ["no more than 30", "mcp__zoo__fly", zoo(40), "mcp__zoo__tool_29 and 10 more."],
  ["the servers, where it is of none of them", "mcp__ark__fly", zoo(1), "These are: zoo."],
  ["nothing where no server is up", "mcp__zoo__fly", [], "No MCP server with tools is running."],
  ["the thread's list where it is no tool of a server", "fly", zoo(1), "The tools you can call are: none."],
] as const)("the refusal of a tool that is not there names %s", async ([, name, tools, expected]) => {
  const client = createFakeMcpClient({ tools });
  const text = outputText(await runCalls(open(client), [functionCall(name, {})]));
  expect(text).toMatch(new RegExp(`^unsupported call: ${name}\n`));
  expect(text.endsWith(expected) && !text.includes("tool_30")).toBe(true);
  expect(client.calls).toEqual([]);
});
