import type { CacheMiss, ThreadEvent, ThreadItem } from "@unroll/protocol";
import { expect, test } from "vitest";
import {
  createTextPrinter,
  emptyThreadView,
  plainStyle,
  reduceThread,
  type TextPrinterOptions,
  toJsonLine,
} from "@unroll/view";
import { cache, command, done, turn, usage } from "./turns.ts";
import { ansiStyle } from "../src/text/text-style.ts";

const options: TextPrinterOptions = {
  style: plainStyle,
  showReasoning: true,
  cwd: "/home/ada/shop",
  finalMessage: "verbatim",
  questions: "shown",
};

function print(
  events: readonly ThreadEvent[],
  more: Partial<TextPrinterOptions> = {},
): { progress: string; answer: string } {
  const printer = createTextPrinter({ ...options, ...more });
  const pieces = events.flatMap((event) => printer.print(event));
  const all = (to: string): string => pieces.flatMap((piece) => (piece.to === to ? [piece.text] : [])).join("");
  return { progress: all("progress"), answer: all("answer") };
}

const end: ThreadEvent = { type: "turn.completed", usage: usage(1) };
const tokens = "tokens: 1 in, 0 of them cached (0 %), 0 out\n";
const ended = (item: ThreadItem): string => print([{ type: "item.completed", item }, end]).progress.replace(tokens, "");

test("a turn is its progress, and its last message alone as the answer", () => {
  expect(print(turn)).toEqual({
    progress: "Let me look.\n$ ls\n  a.txt\n  exit 0\ntokens: 250 in, 0 of them cached (0 %), 15 out\n",
    answer: "There is a.txt.\n",
  });
});

test("messages before the last are progress; where nobody wants the answer apart, all are", () => {
  const message = (id: string, text: string): ThreadEvent => ({
    type: "item.completed",
    item: { id, type: "agent_message", text },
  });
  const events = [message("item_0", "First."), message("item_1", "Second."), end];
  expect(print(events)).toEqual({ progress: `• First.\n${tokens}`, answer: "Second.\n" });
  expect(print(events, { finalMessage: "progress" })).toEqual({
    progress: `• First.\n• Second.\n${tokens}`,
    answer: "",
  });
});

test("the answer is as the model wrote it, but plain on a terminal", () => {
  const item = { id: "item_0", type: "agent_message", text: "a\u001b]0;title\u0007\u001b[31mb" } as const;
  const events: readonly ThreadEvent[] = [{ type: "item.completed", item }, end];
  expect(print(events).answer).toBe(`${item.text}\n`);
  expect(print(events, { finalMessage: "plain" }).answer).toBe("ab\n");
});

test("a message shows what reverses it, and keeps the joiners of its emoji", () => {
  const item = { id: "item_0", type: "agent_message", text: "\u001b[2Ja\u202Eb \u{1F469}\u200D\u{1F4BB}" } as const;
  const error = { code: "interrupted", message: "Stopped." };
  const events = [{ type: "item.completed", item } as const, { type: "turn.failed", error, usage: usage(0) } as const];
  expect(print(events).progress).toBe("• a\\u{202e}b \u{1F469}\u200D\u{1F4BB}\nerror: Stopped.\n");
});

test("a message that was cut says so", () => {
  const item = { id: "item_0", type: "agent_message", text: "So far", cut: "interrupted" } as const;
  const failed: ThreadEvent = {
    type: "turn.failed",
    error: { code: "interrupted", message: "Stopped." },
    usage: usage(0),
  };
  expect(print([{ type: "item.completed", item }, failed]).progress).toBe(
    "• So far […] (cut off: interrupted)\nerror: Stopped.\n",
  );
});

test.for<[string, ThreadItem]>([
  ["$ ls\n  exit 0\n", command("item_0", done)],
  [
    "$ ls\n  a\\u{202e}b\\u{200b}\n  exit 2\n",
    command("item_0", {
      exit_code: 2,
      status: "failed",
      aggregated_output: "a\u001b[2J\u202Eb\u200B\n",
    }),
  ],
  [
    `$ ls\n  … 1 earlier line, and 444 lines not kept\n${"  a\n".repeat(12)}  exit 2\n`,
    command("item_0", { exit_code: 2, status: "failed", aggregated_output: "a\n".repeat(13), omitted_lines: 444 }),
  ],
  ["$ ls\n  no\n  exit 2\n", command("item_0", { exit_code: 2, status: "failed", aggregated_output: "no\n" })],
  [
    "$ ls\n  It was stopped after 10 s.\n",
    command("item_0", { status: "failed", reason: "It was stopped after 10 s." }),
  ],
  [
    "$ ls\n  declined: The person said no.\n    And why.\n",
    command("item_0", { status: "declined", reason: "The person said no.\nAnd why." }),
  ],
  [
    "patched\n  A a.txt\n  M /etc/hosts\n",
    {
      id: "item_0",
      type: "file_change",
      status: "completed",
      changes: [
        { path: "/home/ada/shop/a.txt", kind: "add" },
        { path: "/etc/hosts", kind: "update" },
      ],
    },
  ],
  [
    "patch failed: It does not fit.\n  D a.txt\n",
    {
      id: "item_0",
      type: "file_change",
      status: "failed",
      reason: "It does not fit.",
      changes: [{ path: "/home/ada/shop/a.txt", kind: "delete" }],
    },
  ],
  [
    "called look\n",
    { id: "item_0", type: "tool_call", tool: "look", arguments: {}, output: "ok", status: "completed" },
  ],
  [
    "call failed nope: There is no tool nope.\n",
    {
      id: "item_0",
      type: "tool_call",
      tool: "nope",
      arguments: "{",
      output: null,
      status: "failed",
      reason: "There is no tool nope.",
    },
  ],
  [
    "call declined one.rm: No.\n",
    {
      id: "item_0",
      type: "mcp_tool_call",
      server: "one",
      tool: "rm",
      arguments: {},
      result: null,
      error: { message: "No." },
      status: "declined",
    },
  ],
  ["viewed a.png\n", { id: "item_0", type: "image_view", path: "/home/ada/shop/a.png", status: "completed" }],
  [
    "view failed a.png: It is no image.\n",
    { id: "item_0", type: "image_view", path: "/home/ada/shop/a.png", status: "failed", reason: "It is no image." },
  ],
  ["searched cats\n", { id: "item_0", type: "web_search", query: "cats", status: "completed" }],
  ["search failed cats\n", { id: "item_0", type: "web_search", query: "cats", status: "failed" }],
  ["error: It broke.\n", { id: "item_0", type: "error", message: "It broke." }],
])("%j", ([text, item]) => {
  expect(ended(item)).toBe(text);
});

function toRequest(miss: CacheMiss, shared_tokens: number): ThreadEvent {
  return { type: "request.completed", response_id: "r", usage: null, cache: { ...cache, shared_tokens, miss } };
}

test("every event that a person should know of is a line", () => {
  const events: readonly ThreadEvent[] = [
    { type: "warning", message: "Careful\u001b[2J." },
    { type: "events.skipped", count: 7 },
    toRequest({ type: "expired", cause: "the request before was 22 min ago" }, 41_200),
    toRequest({ type: "expired", cause: "too little to be told" }, 400),
    toRequest({ type: "epoch_opened", first_difference: { index: 3, type: "message" }, cause: "told before" }, 41_200),
    {
      type: "epoch.opened",
      cause: "the context was full",
      items: 10,
      shared_items: 3,
      first_difference: { index: 3, type: "message" },
    },
    { type: "question.asked", question: "patch.approval", item_id: "item_0", reason: "It is outside." },
    { type: "question.answered", question: "patch.approval", item_id: "item_0", answer: "denied" },
    { type: "question.asked", question: "server.form", item_id: null, reason: "travel asks." },
    end,
  ];
  expect(print(events).progress).toBe(
    [
      "warning: Careful.",
      "skipped 7 events: too many at once",
      "cache miss: 41,200 tokens resent uncached (the request before was 22 min ago)",
      "resending the thread: the context was full (3 of 10 items are still cached)",
      "? asked about a patch: It is outside.",
      "  answer: no",
      "? asked about a form: travel asks.",
      "  no answer: the turn ended",
      tokens,
    ].join("\n"),
  );
  expect(print(events, { questions: "elsewhere" }).progress).not.toContain("asked");
});

test.for([
  [
    "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'a.js'\n    at fail (node:internal/errors:1)\n    at error (a:1)\n  requireStack: []\n}\n\nNode.js v24.21.0\n",
    "Error: Cannot find module 'a.js'",
  ],
  [
    "Traceback (most recent call last):\n  File \"a.py\"\nModuleNotFoundError: No module named 'b'\n",
    "ModuleNotFoundError: No module named 'b'",
  ],
  ["starting\nno config\n", "no config"],
] as const)(
  "of the stderr of a server that did not start, the line that names the error is shown: %j",
  ([tail, shown]) => {
    const message = 'MCP server "a": it ended before it answered (exit code 1).';
    const state = { type: "failed", required: false, code: "server_died", message, stderr_tail: tail } as const;
    const event = { type: "mcp.server_updated", server: "a", state } as const;
    expect(print([event]).progress).toContain(`mcp: ${message} From its stderr: ${shown}\n`);
  },
);

test("a command is shown whole and indented, with its hidden characters escaped", () => {
  const item = command("item_0", { command: "a\u001b[2J\n\u202Eb\u200B" });
  expect(print([{ type: "item.started", item }]).progress).toBe("$ a\\u{1b}[2J\n  \\u{202e}b\\u{200b}\n");
});

test("a plan is shown with each change", () => {
  const plan = (completed: boolean): ThreadItem => ({
    id: "item_0",
    type: "todo_list",
    items: [{ text: "Look", completed }],
  });
  const events: readonly ThreadEvent[] = [
    { type: "item.started", item: plan(false) },
    { type: "item.updated", item: plan(true) },
    { type: "item.completed", item: plan(true) },
  ];
  expect(print(events).progress).toBe("  ○ Look\n  ✓ Look\n");
});

test("colours are whole sequences, and only around text", () => {
  const { progress } = print([{ type: "item.completed", item: command("item_0", done) }], { style: ansiStyle });
  expect(progress).toBe("\u001b[1m$\u001b[22m ls\n\u001b[32m  exit 0\u001b[39m\n");
});

test("as JSON every event but live text is a line", () => {
  expect(turn.flatMap((event) => toJsonLine(event) ?? []).map((line): unknown => JSON.parse(line))).toEqual(
    turn.filter(({ type }) => type !== "item.delta"),
  );
});

test("a turn with limits ends with what is left of them", () => {
  const limits = [
    { limit: "max_turns", of: "run", max: 20, spent: 3 },
    { limit: "max_tokens", of: "run", max: 500_000, spent: 12_345 },
    { limit: "max_cost", of: "thread", max: 2, spent: 0.123456 },
    { limit: "max_time", of: "run", max: 600, spent: 14.4 },
  ] as const;
  const told: ThreadEvent = { type: "budget.updated", limits };
  const line = "budget: 3 of 20 requests, 12,345 of 500,000 tokens, $0.1235 of $2 (thread), 14 of 600 s\n";
  expect(print([told, end]).progress).toBe(tokens + line);
  const error = { code: "budget_exhausted", message: "Used up." };
  expect(print([told, { type: "turn.failed", error, usage: usage(0) }]).progress).toBe(`error: Used up.\n${line}`);
});

test("a sub-agent is shown when it begins and when it ends, and stays live behind the turn until then", () => {
  const agent = {
    thread_id: "t",
    name: "look",
    role: null,
    state: "running",
    last_action: null,
    tokens: 0,
    cost: null,
  } as const;
  const call = { id: "item_0", type: "tool_call", tool: "agent", arguments: {}, output: null } as const;
  const running = { ...call, status: "in_progress", agent } as const;
  const busy = { ...running, agent: { ...agent, last_action: "ls", tokens: 950 } } as const;
  const over = { ...call, status: "completed", agent: { ...busy.agent, state: "completed" } } as const;
  const updated = [running, busy, busy].map((item) => ({ type: "item.updated", item }) as const);
  const begun = [{ type: "item.started", item: { ...call, status: "in_progress" } } as const, ...updated, end];
  const lines = ["  sub-agent look · running · 0 tokens\n", "called sub-agent look · completed · 950 tokens\n"];
  expect(print([...begun, { type: "item.completed", item: over }]).progress.replace(tokens, "")).toBe(lines.join(""));
  expect(begun.reduce(reduceThread, emptyThreadView).cells).toContainEqual(expect.objectContaining({ item: busy }));
  // of one that was cut off with its process nobody recorded an end
  const lost = { ...busy, status: "unknown", agent: { ...busy.agent, agents: [{ ...agent, name: "dig" }] } } as const;
  expect(print([{ type: "item.completed", item: lost }]).progress).toBe(
    "call result unknown sub-agent look · ls · 950 tokens\n  sub-agent look / dig · 0 tokens\n",
  );
});
