import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type InProcessWorld, openModelWorld } from "./run-in-process.ts";

const threadId = "01a20ac8-9f90-7c43-82ba-9dd0db4f211f";
const cwd = "/home/someone/project";

const shown = `> Look around
• I will look.
$ cat a.txt; seq 1 3
  a.txt
  1
  2
  3
  exit 0
patched
  M a.txt
  D b.txt
  A new.txt
$ ls missing; exit 3
  ls: cannot access 'missing': No such file or directory
  exit 3
• Done.
> Second
• Second answer.`.split("\n");

/** The lines of the thread in the order in which they were printed. */
function listShown(text: string): readonly string[] {
  return text.split("\n").filter((line) => shown.includes(line));
}

interface ReadResult {
  readonly thread: { readonly turns: readonly { readonly items: readonly { readonly id: string }[] }[] };
}

/** A thread of two turns with commands and a patch, which Codex CLI 0.169 recorded. */
async function openThreadWorld(): Promise<Awaited<ReturnType<typeof openModelWorld>>> {
  const world = await openModelWorld({ script: { turns: [{ items: [{ text: "Third answer." }] }] } });
  const recorded = await readFile(new URL("../../../conformance/threads/codex-0.169.0-patch.jsonl", import.meta.url));
  const name = `rollout-2026-11-23T23-40-49-${threadId}.jsonl`;
  await world.write(`home/.codex/sessions/2026/11/23/${name}`, recorded.toString().replaceAll(cwd, world.work));
  return world;
}

const usage = { input_tokens: 30, output_tokens: 4, total_tokens: 34 };

/** A thread of an earlier or a later Codex CLI, which counted so many input tokens, in this folder. */
async function openCountedThread(version: string): Promise<InProcessWorld & AsyncDisposable & { readonly id: string }> {
  const world = await openModelWorld({
    script: { turns: [1, 2].map(() => ({ items: [{ text: "Answer." }], usage })) },
  });
  const recorded = await readFile(new URL(`../../../conformance/threads/codex-${version}.jsonl`, import.meta.url));
  const text = recorded.toString().replaceAll(cwd, world.work);
  const [, id = ""] = /"id":"([^"]+)"/.exec(text) ?? [];
  await world.write(`home/.codex/sessions/2026/11/21/rollout-2026-11-21T22-02-46-${id}.jsonl`, text);
  return { ...world, id };
}

/** The messages of a server on stdio that gets these requests. */
async function ask(
  world: InProcessWorld,
  command: string,
  requests: readonly object[],
): Promise<readonly Record<string, unknown>[]> {
  const stdin = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const { stdout } = await world.run([command], { stdin });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("unroll threads show prints the messages, commands and patch of a thread of the Codex CLI", async () => {
  await using world = await openThreadWorld();
  const { exitCode, stdout } = await world.run(["threads", "show", threadId]);
  expect(exitCode).toBe(0);
  expect(listShown(stdout)).toEqual(shown);
});

test("the terminal shows a thread of the Codex CLI that it resumes", async () => {
  await using world = await openThreadWorld();
  const { stderr } = await world.run(["--plain", "resume", threadId], { stdin: "Third\n" });
  expect(listShown(stderr)).toEqual(shown);
  expect(stderr).toMatch(/> Third\n[^]*• Third answer\.\n/);
});

test("thread/read has the turns of a thread of the Codex CLI with their times, commands and diffs", async () => {
  await using world = await openThreadWorld();
  const hello = { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1.0.0" } } };
  const read = { id: 2, method: "thread/read", params: { threadId, includeTurns: true } };
  const answers = await ask(world, "app-server", [hello, { method: "initialized" }, read]);
  const { result } = answers.find(({ id }) => id === 2) ?? {};
  const { turns } = (result as ReadResult).thread;
  const ids = turns.flatMap(({ items }) => items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const at = (path: string): string => join(world.work, path);
  const command = { type: "commandExecution", cwd: world.work };
  const end = { status: "completed", startedAt: 1_795_477_250, completedAt: 1_795_477_250, durationMs: 50 };
  expect(turns).toMatchObject([
    {
      status: "completed",
      startedAt: 1_795_477_249,
      completedAt: 1_795_477_250,
      durationMs: 263,
      items: [
        { type: "userMessage", content: [{ text: "Look around" }] },
        { type: "reasoning", summary: ["Think first."] },
        { type: "agentMessage", text: "I will look." },
        { ...command, command: "cat a.txt; seq 1 3", exitCode: 0, durationMs: 1 },
        {
          type: "fileChange",
          changes: [
            { path: at("a.txt"), diff: "@@ -1 +1 @@\n-a.txt\n+b.txt\n" },
            { path: at("b.txt"), diff: "b.txt\n" },
            { path: at("new.txt"), diff: "hello\n" },
          ],
        },
        { type: "dynamicToolCall", tool: "update_plan" },
        { ...command, command: "ls missing; exit 3", exitCode: 3, durationMs: 0 },
        { type: "agentMessage", text: "Done." },
      ],
    },
    { ...end, items: [{ content: [{ text: "Second" }] }, { text: "Second answer." }] },
  ]);
});

test.each([
  { version: "0.92.0", before: 40_214, shown: "40,214 tokens in, 15,036 of them cached (37 %), 328 out" },
  { version: "0.169.0", before: 44_753, shown: "44,753 tokens in, 19,361 of them cached (43 %), 327 out" },
])(
  "the token totals of a thread of the Codex CLI $version continue in every program",
  async ({ version, before, shown }) => {
    await using world = await openCountedThread(version);
    const { id: threadId } = world;
    const { stdout } = await world.run(["threads", "show", threadId]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`in 3 turns: ${shown}`);
    const ran = await world.run(["exec", "--json", "--skip-git-repo-check", "resume", threadId, "Third"]);
    const sent = ran.stdout.split("\n").find((line) => line.includes('"turn.completed"')) ?? "";
    expect(JSON.parse(sent)).toMatchObject({
      usage: { input_tokens: 30, output_tokens: 4 },
      thread_usage: { input_tokens: before + 30 },
    });
    expect((await world.run(["threads", "list", "--json"])).stdout).toContain(`"input_tokens":${before + 30}`);
  },
);
