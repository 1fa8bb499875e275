import type { ThreadItem } from "@unroll/protocol";
import { toRowText } from "@unroll/screen";
import { beforeAll, describe, expect, test } from "vitest";
import { type CellOptions, type Libraries, loadLibraries } from "@unroll/cells";
import { toLooks, toTexts } from "./shown.ts";
import { renderEntry } from "../src/cell/render-entry.ts";

let libraries: Libraries;
beforeAll(async () => {
  libraries = await loadLibraries();
});

function render(item: ThreadItem, options: Partial<CellOptions> = {}) {
  const timed = "status" in item ? { ...item, duration_ms: 400 } : item;
  const cell = { type: "item", key: item.id, isFinished: true, turnId: "turn_0", item: timed } as const;
  const all = {
    libraries,
    columns: 79,
    cwd: "/project",
    reasoning: "folded",
    detail: "folded",
    more: "^T",
    ...options,
  } as const;
  return renderEntry({ type: "cell", cell }, all);
}

const patch = {
  id: "item_0",
  type: "file_change",
  changes: [{ path: "/project/a.ts", kind: "update" }],
  status: "completed",
} as const;

describe("a patch", () => {
  test("of git is shown by its files: changed, moved, new, gone, or no text", () => {
    const diff = [
      "diff --git a/src/a.ts b/src/a.ts",
      "index f13dfab..63643bf 100644",
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -1 +1 @@ function a() {",
      "-one",
      "+two",
      "diff --git a/old name.ts b/new name.ts",
      "similarity index 100%",
      "rename from old name.ts",
      "rename to new name.ts",
      "diff --git a/new.md b/new.md",
      "new file mode 100644",
      "index 0000000..ce01362",
      "--- /dev/null",
      "+++ b/new.md",
      "@@ -0,0 +1 @@",
      "+hello",
      "diff --git a/run.sh b/run.sh",
      "old mode 100644",
      "new mode 100755",
      "diff --git a/x.png b/x.png",
      "deleted file mode 100644",
      "index ce01362..0000000",
      "Binary files a/x.png and /dev/null differ",
    ].join("\n");
    expect(toTexts(render({ ...patch, diff }))).toEqual([
      "✓ changed 1 file",
      "  M src/a.ts +1 -1",
      "  1 -one",
      "  1 +two",
      "  R old name.ts → new name.ts",
      "  A new.md +1",
      "  1 +hello",
      "  M run.sh",
      "  old mode 100644",
      "  new mode 100755",
      "  D x.png",
      "  Binary files a/x.png and /dev/null differ",
    ]);
  });

  test("shows each file with numbers, what was added and removed, and the words that differ", () => {
    const diff = [
      "--- /project/old.ts",
      "+++ /project/src/new.ts",
      "@@ -8,4 +8,3 @@",
      " const a = 1;",
      "-const total = sum(a, b);",
      "+const total = add(a, b);",
      "-gone",
      " }",
      "@@ -90,1 +89,1 @@",
      "--- x",
      "+++ y",
      "--- /dev/null",
      "+++ /project/n\u202ew.md",
      "@@ -0,0 +1,1 @@",
      "+\thello",
      "\\ No newline at end of file",
      "--- /project/gone.md",
      "+++ /dev/null",
      "[not shown: before the patch the file is binary, of 9 bytes]",
    ].join("\n");
    const lines = render({ ...patch, diff });
    expect(toTexts(lines)).toEqual([
      "✓ changed 1 file",
      "  R old.ts → src/new.ts +2 -3",
      "   8  const a = 1;",
      "   9 -const total = sum(a, b);",
      "   9 +const total = add(a, b);",
      "  10 -gone",
      "  10  }",
      "   ⋮",
      "  90 --- x",
      "  89 +++ y",
      "  A n\\u{202e}w.md +1",
      "  1 +    hello",
      "  \\ No newline at end of file",
      "  D gone.md",
      "  [not shown: before the patch the file is binary, of 9 bytes]",
    ]);
    expect(toLooks(lines.slice(3, 5)).filter((look) => look.includes("word"))).toEqual([
      "removed+removed-word:sum",
      "added+added-word:add",
    ]);
  });

  test("of many lines is folded, and stays quick where every line differs", () => {
    const rows = Array.from({ length: 2500 }, (_, at) => [
      `-  const value${at} = old(${at});`,
      `+  const value${at} = now(${at});`,
    ]);
    const diff = ["--- /project/a.ts", "+++ /project/a.ts", "@@ -1,2500 +1,2500 @@", ...rows.flat()].join("\n");
    const folded = toTexts(render({ ...patch, diff }));
    expect([folded.length, folded.at(-1)]).toEqual([43, "  … +4,960 lines, ^T"]);
    expect(render({ ...patch, diff }, { detail: "whole" })).toHaveLength(5002);
  });

  test("of which the middle is missing is shown as it is: nobody knows which file a line is of", () => {
    const diff =
      "--- /project/a\n+++ /project/a\n@@ -1,9 +1,9 @@\n-one\n[... left out here: 900 lines, 9 bytes, about 3 tokens ...]\n+two\n";
    const lines = render({ ...patch, diff });
    expect(toTexts(lines)).toEqual([
      "✓ changed 1 file",
      ...diff
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`),
    ]);
  });

  test("without a diff names its files, and why it was not written", () => {
    expect(toTexts(render({ ...patch, status: "failed", reason: "It does not fit." }))).toEqual([
      "✗ not changed: 1 file: It does not fit.",
      "  M a.ts",
    ]);
  });
});

describe("a call", () => {
  const call = {
    id: "item_0",
    type: "mcp_tool_call",
    server: "git",
    tool: "log",
    arguments: { path: "x".repeat(300) },
  } as const;

  test("is shown with its arguments and what came back, both shortened", () => {
    const content = [
      { type: "text", text: "1\n2\n3\n4\n5\n6\n7" },
      { type: "image", mimeType: "image/png", data: "…" },
    ];
    const item = { ...call, result: { content, structured_content: null }, error: null, status: "completed" } as const;
    expect(toTexts(render(item))).toEqual([
      `→ git.log {"path":"${"x".repeat(191)}…`,
      "  1",
      "  2",
      "  3",
      "  … +3 lines, ^T",
      "  7",
      "  [image image/png]",
      "  ✓ done · 0.4 s",
    ]);
    expect(toTexts(render(item, { detail: "whole" }))).toHaveLength(10);
  });

  test("that failed says why, and one that runs how far it is", () => {
    const failed = {
      ...call,
      arguments: {},
      result: null,
      error: { message: "No such server." },
      status: "failed",
    } as const;
    expect(toTexts(render(failed))).toEqual(["→ git.log", "  ✗ failed · 0.4 s: No such server."]);
    const progress = { done: 3, total: 10, message: "reading" };
    expect(toTexts(render({ ...failed, error: null, status: "in_progress", progress }))).toEqual([
      "→ git.log",
      "  running",
      "  3 of 10 · reading",
    ]);
  });

  test("whose only output is why it failed shows that once", () => {
    const why = "unsupported call: fly";
    const item = { id: "i", type: "tool_call", tool: "fly", arguments: {}, output: `${why}\n`, reason: why } as const;
    expect(toTexts(render({ ...item, status: "failed" }))).toEqual(["→ fly", `  ✗ failed · 0.4 s: ${why}`]);
  });

  test("that waited for sub-agents shows their reports only if no item of theirs has shown them", () => {
    const item = { id: "i", type: "tool_call", tool: "wait_agent", arguments: {}, output: "Found it." } as const;
    const done = { ...item, status: "completed" } as const;
    expect(toTexts(render(done))).toEqual(["→ wait_agent", "  Found it.", "  ✓ done · 0.4 s"]);
    expect(toTexts(render({ ...done, reported: ["t"] }))).toEqual(["→ wait_agent", "  ✓ done · 0.4 s"]);
  });

  test("that started a sub-agent shows its state, its last action and its usage, and its report when it has ended", () => {
    const agent = { thread_id: "t", name: "look 2", role: null, last_action: "pnpm test", tokens: 12_345 } as const;
    const item = { id: "i", type: "tool_call", tool: "spawn_agent", arguments: {}, output: "Found it." } as const;
    const shown = [
      { ...item, status: "in_progress", agent: { ...agent, state: "running", cost: null } },
      {
        ...item,
        status: "completed",
        agent: {
          ...agent,
          state: "completed",
          cached_tokens: 8_000,
          cost: 0.044,
          agents: [{ ...agent, name: "dig", state: "failed", cost: null }],
        },
      },
      { ...item, output: null, status: "unknown", agent: { ...agent, state: "running", cost: null } },
    ] as const;
    expect(shown.map((each) => toTexts(render(each)))).toEqual([
      ["→ sub-agent look 2", expect.stringContaining("running"), "  running · pnpm test · 12.3k tokens"],
      [
        "→ sub-agent look 2",
        "  Found it.",
        "  ✓ done · 0.4 s",
        "  completed · 12.3k tokens (8k cached) · $0.044",
        "  dig: failed · 12.3k tokens",
      ],
      ["→ sub-agent look 2", expect.stringContaining("unknown"), "  pnpm test · 12.3k tokens"],
    ]);
  });

  test("of any other tool, a search, a picture and an error have a line each", () => {
    const items: readonly ThreadItem[] = [
      {
        id: "item_0",
        type: "tool_call",
        tool: "weather",
        arguments: "not json",
        output: null,
        status: "declined",
        reason: "You said no.",
      },
      { id: "item_1", type: "web_search", query: "node\n24", status: "completed" },
      { id: "item_2", type: "image_view", path: "/project/a.png", status: "completed" },
      { id: "item_3", type: "image_view", path: "/etc/a.png", status: "declined", reason: "It is outside." },
      { id: "item_4", type: "error", message: "The provider is away." },
    ];
    expect(items.map((item) => toTexts(render(item)))).toEqual([
      ['→ weather "not json"', "  ✗ not called: You said no."],
      ["searched the web: node", "  24"],
      ["viewed a.png"],
      ["not viewed: /etc/a.png: It is outside."],
      ["error: The provider is away."],
    ]);
  });
});

test("a line of output that fills the terminal is cut, in the pager it is whole", () => {
  const item = {
    id: "item_0",
    type: "command_execution",
    command: "cat x",
    aggregated_output: "y".repeat(5000),
    exit_code: 0,
    status: "completed",
  } as const;
  const [, folded] = render(item);
  const [, whole] = render(item, { detail: "whole" });
  expect([toRowText(folded?.spans ?? []).slice(-32), toRowText(whole?.spans ?? []).length]).toEqual([
    "yy… (+4,000 characters, ^T)".padStart(32, "y"),
    5002,
  ]);
});

test("what the model asked a person is shown with the answer, not as a call", () => {
  const questions = [
    { id: "colour", header: "Colour", question: "Which\ncolour?", options: [] },
    { id: "size", header: "Size", question: "Which size?", options: [] },
  ];
  const call = {
    id: "item_0",
    type: "tool_call",
    tool: "request_user_input",
    arguments: { questions },
    output: '{"answers":{"colour":{"answers":["green"]},"size":{"answers":[]}}}',
    status: "completed",
  } as const;
  const lines = toTexts(render(call));
  expect(lines).toEqual(["? Which colour?", "  › green", "? Which size?", "  not answered"]);
  expect(toTexts(render({ ...call, arguments: "broken" }))[0]).toBe('→ request_user_input "broken"');
});
