import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry, ThreadItem } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openStoreWorld, toSent, writeThread } from "./store-world.ts";

const diff = [
  "--- /dev/null",
  "+++ /work here/new.txt",
  "@@ -0,0 +1 @@",
  "+hello",
  "--- /work here/a.txt",
  "+++ /work here/b.txt",
  "@@ -1,2 +1,2 @@",
  " same",
  "-old",
  "+new",
  "",
].join("\n");

const shown: readonly ThreadItem[] = [
  {
    id: "item_0",
    type: "command_execution",
    call_id: "call_a",
    cwd: "/work here",
    command: "seq 1 5000",
    aggregated_output: `begin\n${"x".repeat(20_000)}\nend\n`,
    exit_code: 3,
    status: "failed",
    started_at: 1_000,
    duration_ms: 2_345,
  },
  {
    id: "item_1",
    type: "file_change",
    call_id: "call_b",
    cwd: "/work here",
    changes: [
      { path: "/work here/new.txt", kind: "add" },
      { path: "/work here/b.txt", kind: "update", moved_from: "/work here/a.txt" },
    ],
    diff,
    status: "completed",
  },
  {
    id: "item_2",
    type: "mcp_tool_call",
    call_id: "call_c",
    server: "docs",
    tool: "find",
    arguments: { word: "x" },
    result: { content: [{ type: "text", text: "found" }], structured_content: null },
    error: null,
    status: "completed",
    duration_ms: 4,
  },
  { id: "item_4", type: "image_view", call_id: "call_d", path: "/work here/a.png", status: "completed" },
  { id: "item_3", type: "web_search", query: "x", action: { type: "search", query: "x" }, status: "completed" },
];

const thought = '{"type":"reasoning","summary":[{"type":"summary_text","text":"Think."}],"encrypted_content":"e"}';

/** A turn with one item of each kind that another program shows. */
function listTurn(): readonly JournalEntry[] {
  return [
    { type: "turn.started", turnId: "one" },
    { type: "item", item: toSent(thought) },
    ...shown.map((item): JournalEntry => ({ type: "item.ended", item })),
  ];
}

interface Told {
  readonly type: string;
  readonly payload: { readonly type: string; readonly item?: unknown };
}

function readEvents(path: string): readonly Told["payload"][] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line) as Told)
    .flatMap(({ type, payload }) => (type === "event_msg" ? [payload] : []));
}

const changes = {
  "/work here/new.txt": { type: "add", content: "hello\n" },
  "/work here/a.txt": {
    type: "update",
    unified_diff: "@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
    move_path: "/work here/b.txt",
  },
};

const command = {
  command: ["bash", "-c", "seq 1 5000"],
  cwd: "file:///work%20here",
  parsed_cmd: [{ type: "unknown", cmd: "seq 1 5000" }],
  status: "failed",
  exit_code: 3,
  duration: { secs: 2, nanos: 345_000_000 },
  aggregated_output: expect.stringMatching(/^begin\nx{4994}\n\[\.\.\.\]\nx{4995}\nend\n$/) as unknown,
};

const search = { query: "x", action: { type: "search", query: "x" } };

test("a thread of ours tells the Codex CLI its reasoning, commands, patches, tool calls and searches", async () => {
  await using world = await openStoreWorld();
  const { path } = await writeThread(world, listTurn);
  expect(readEvents(path)).toEqual([
    expect.objectContaining({ type: "task_started", turn_id: "one" }),
    { type: "agent_reasoning", text: "Think." },
    expect.objectContaining({ type: "exec_command_end", call_id: "call_a", turn_id: "one", ...command }),
    expect.objectContaining({ type: "patch_apply_end", call_id: "call_b", turn_id: "one", success: true, changes }),
    {
      type: "mcp_tool_call_end",
      call_id: "call_c",
      turn_id: "one",
      invocation: { server: "docs", tool: "find", arguments: { word: "x" } },
      duration: { secs: 0, nanos: 4_000_000 },
      result: { Ok: { content: [{ type: "text", text: "found" }], isError: false } },
    },
    { type: "view_image_tool_call", call_id: "call_d", turn_id: "one", path: "file:///work%20here/a.png" },
    { type: "web_search_end", call_id: "item_3", turn_id: "one", ...search },
  ]);
});

test("in a thread that Codex CLI 0.169 started, the same comes as items like its own", async () => {
  await using world = await openStoreWorld();
  const id = "01a20022-2187-7ac0-b6b4-dc79acab60e7";
  const folder = join(world.codexHome, "sessions/2026/11/21");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-11-21T22-02-36-${id}.jsonl`);
  copyFileSync(join(import.meta.dirname, "../../../conformance/threads/codex-0.169.0.jsonl"), path);
  const { length } = readEvents(path);
  const { journal } = await world.store.resume(id);
  for (const entry of listTurn()) journal.record(entry);
  await journal[Symbol.asyncDispose]();
  expect(
    readEvents(path)
      .slice(length + 1)
      .map(({ item }) => item),
  ).toEqual([
    { type: "Reasoning", id: "one-1", summary_text: ["Think."], raw_content: [] },
    expect.objectContaining({ type: "CommandExecution", id: "call_a", ...command }),
    { type: "FileChange", id: "call_b", changes, status: "completed" },
    expect.objectContaining({ type: "McpToolCall", id: "call_c", server: "docs", tool: "find", status: "completed" }),
    { type: "ImageView", id: "call_d", path: "file:///work%20here/a.png" },
    { type: "WebSearch", id: "one-6", ...search },
  ]);
});
