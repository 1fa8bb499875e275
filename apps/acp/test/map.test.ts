import type { McpServer, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { SandboxSettings, ThreadEvent } from "@unroll/protocol";
import { expect, test } from "vitest";
import { toDiffContent } from "../src/map/to-diff-content.ts";
import { toMcpConfig } from "../src/map/to-mcp-config.ts";
import { toModeChange } from "../src/map/to-mode.ts";
import { toPromptResponse } from "../src/map/to-request-error.ts";
import { toToolCall } from "../src/map/to-tool-call.ts";
import { toUserInput } from "../src/map/to-user-input.ts";
import { createUpdateTeller } from "../src/tell/create-update-teller.ts";
import { toReplay } from "../src/tell/to-replay.ts";

const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;

test("what an editor sends is what a turn takes: links by their paths, embedded files as they are there", () => {
  const uri = "file:///project/a%20b.ts";
  expect(
    toUserInput([
      { type: "text", text: "Look:" },
      image,
      { type: "resource_link", name: "a b.ts", uri },
      { type: "resource_link", name: "page", uri: "https://example.com/x" },
      { type: "resource", resource: { uri, text: "not saved" } },
      { type: "resource", resource: { uri: "file:///project/x.png", blob: "AAAA", mimeType: "image/png" } },
      { type: "resource", resource: { uri: "file:///project/x.zip", blob: "AAAA" } },
    ]),
  ).toEqual([
    { type: "text", text: "Look:" },
    { type: "image", dataUrl: "data:image/png;base64,AAAA" },
    { type: "text", text: "[@a b.ts](/project/a b.ts)" },
    { type: "text", text: "[@page](https://example.com/x)" },
    { type: "text", text: '<context path="/project/a b.ts">\nnot saved\n</context>' },
    { type: "image", dataUrl: "data:image/png;base64,AAAA" },
    { type: "text", text: "[@/project/x.zip: bytes, which is not shown here]" },
  ]);
});

test("a diff is sent piece by piece, each with its line, and an unreadable one as its text", () => {
  const head = "--- /project/a.ts\n+++ /project/a.ts\n";
  const pieces = toDiffContent(`${head}@@ -1,2 +1,2 @@\n-old\n+new\n same\n@@ -9,1 +9,2 @@\n last\n+more\n`);
  const common = { path: "/project/a.ts" };
  expect(pieces).toEqual([
    { ...common, line: 1, content: { type: "diff", ...common, oldText: "old\nsame\n", newText: "new\nsame\n" } },
    { ...common, line: 9, content: { type: "diff", ...common, oldText: "last\n", newText: "last\nmore\n" } },
  ]);
  const cut = toDiffContent(`${head}@@ -1,2 +1,2 @@\n-old\n[... 9 lines left out ...]\n`);
  expect(cut).toMatchObject([{ path: null, content: { type: "content" } }]);
});

test("a command that only reads or searches is shown as that, with its files", () => {
  const show = (command: string): unknown => {
    const item = { id: "item_0", type: "command_execution", command, aggregated_output: "", exit_code: 0 } as const;
    return toToolCall({ ...item, status: "completed" }, { cwd: "/project", hasTerminal: false });
  };
  expect(show("cd src && cat a.ts | head")).toMatchObject({ kind: "read", locations: [{ path: "/project/src/a.ts" }] });
  expect(show("rg TODO src")).toMatchObject({ kind: "search" });
  expect(show("rg -l TODO | xargs rm")).toMatchObject({ kind: "execute" });
});

test("an MCP server of the editor is one of the config, unless the config has one of that name", () => {
  const stdio = { name: "git hub", command: "/bin/x", args: ["-v"], env: [{ name: "TOKEN", value: "t" }] };
  const http: McpServer = {
    type: "http",
    name: "web",
    url: "https://x.test/mcp",
    headers: [{ name: "A", value: "b" }],
  };
  expect(toMcpConfig([stdio, http, { ...stdio, name: "own" }], new Set(["own"]))).toEqual({
    config: {
      mcp_servers: {
        "git hub": { command: "/bin/x", args: ["-v"], env: { TOKEN: "t" } },
        web: { url: "https://x.test/mcp", http_headers: { A: "b" } },
      },
    },
    notices: ["The editor's MCP server own is left out: the config has one of that name."],
  });
});

const usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
};

test("a turn ends for a reason of the protocol's, or by an error that says why", () => {
  const failed = (code: string, message: string) =>
    toPromptResponse({ type: "failed", error: { code, message }, usage });
  expect(failed("incomplete", "It stopped: max_output_tokens.")).toEqual({ stopReason: "max_tokens" });
  expect(failed("incomplete", "It stopped: content_filter.")).toEqual({ stopReason: "refusal" });
  expect(() => failed("http_401", "No.")).toThrow(expect.objectContaining({ code: -32000, message: "No." }));
  expect(() => failed("stream_cut", "Cut.")).toThrow(expect.objectContaining({ code: -32603, message: "Cut." }));
  const budget = { limit: "max_turns", of: "run", max: 1, spent: 1 } as const;
  const error = { code: "budget_exhausted", message: "Enough.", budget };
  expect(toPromptResponse({ type: "failed", error, usage })).toEqual({ stopReason: "max_turn_requests" });
  expect(toPromptResponse({ type: "interrupted", usage })).toEqual({ stopReason: "cancelled" });
});

function tell(events: readonly ThreadEvent[], notices: boolean): readonly SessionUpdate[] {
  const teller = createUpdateTeller({ offers: { terminalOutput: false, notices }, clock: { elapsed: () => 1000 } });
  const thread = { config: { cwd: "/project", modelFamily: { contextWindow: 10 } } };
  return events.flatMap((event) => teller.tell(event, thread));
}

test("an answer that breaks off is marked, because it cannot be withdrawn, and sent again as another message", () => {
  const cause = { code: "stream_cut", message: "It was cut." };
  const delta = { type: "item.delta", item_id: "item_0", kind: "agent_message", delta: "Hel" } as const;
  const events: readonly ThreadEvent[] = [
    delta,
    { type: "stream.retrying", attempt: 1, max_attempts: 5, delay_ms: 1, cause },
    { ...delta, delta: "Hello" },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello." } },
  ];
  const told = tell(events, true).map((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
      ? [update.messageId, update.content.text.trim()]
      : update.sessionUpdate,
  );
  expect(told).toEqual([
    ["item_0", "Hel"],
    ["item_0", "[The connection broke off: the answer begins again.]"],
    "notice",
    ["item_0_1", "Hello"],
    ["item_0_1", "."],
  ]);
});

test("plans, thoughts, searches and warnings each have their place", () => {
  const items = [
    { text: "look", completed: true },
    { text: "mend", completed: false },
  ];
  const events: readonly ThreadEvent[] = [
    { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Hm." } },
    { type: "item.updated", item: { id: "item_1", type: "todo_list", items } },
    { type: "item.completed", item: { id: "item_2", type: "web_search", query: "x", status: "completed" } },
    { type: "warning", message: "Careful." },
  ];
  expect(tell(events, false)).toEqual([
    { sessionUpdate: "agent_thought_chunk", messageId: "item_0", content: { type: "text", text: "Hm." } },
    {
      sessionUpdate: "plan",
      entries: [
        { content: "look", priority: "medium", status: "completed" },
        { content: "mend", priority: "medium", status: "pending" },
      ],
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: "item_2",
      status: "completed",
      title: "Search the web: x",
      kind: "search",
      rawInput: undefined,
    },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Warning: Careful.\n\n" } },
  ]);
});

test.for([
  ["ask", { approvalPolicy: "never", approvalQuestions: { rules: false, mcp: true } }],
  ["plan", { approvalPolicy: "never", approvalQuestions: { rules: false, mcp: true } }],
  ["full", { approvalPolicy: "never" }],
] as const)(
  "in the mode %s a granular policy of the config holds where the mode goes by the config",
  ([mode, expected]) => {
    const sandboxSettings = { mode: "workspace-write" } as SandboxSettings;
    const config = {
      sandboxSettings,
      approvalPolicy: "never",
      approvalQuestions: { rules: false, mcp: true },
    } as const;
    const { sandboxSettings: _, ...approvals } = toModeChange(mode, config);
    expect(approvals).toEqual(expected); // a policy that is named alone ends a granular one
  },
);

test("a saved command without a recorded end is in progress: the protocol has no word for it", () => {
  const item = { id: "item_0", type: "command_execution", command: "make", aggregated_output: "half\n" } as const;
  const running = { ...item, exit_code: null, status: "in_progress" } as const;
  const thread = { config: { cwd: "/project", modelFamily: { contextWindow: 1000 } } };
  const updates = toReplay([{ type: "told", event: { type: "item.updated", item: running } }], thread);
  const call = { toolCallId: "item_0", title: "make", kind: "execute", status: "in_progress" };
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", ...call },
    { sessionUpdate: "tool_call_update", ...call, rawOutput: { exitCode: null, output: "half\n" } },
  ]);
});
