import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, Person, Question } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const tool = "shell_tool=exec_command";

/** An interactive shell, as models open one; `ready` is written when it reads. */
const shell = {
  call: "exec_command",
  arguments: { cmd: "PS1=ready bash --norc --noprofile -i", login: false, tty: true, yield_time_ms: 0 },
};
const type = (chars: string, session = 1): object => ({
  call: "write_stdin",
  arguments: { session_id: session, chars, yield_time_ms: 0 },
});
const end = { call: "write_stdin", arguments: { session_id: 1, kill: true } };
/** Until the shell has ended, by itself. */
const wait = { call: "write_stdin", arguments: { session_id: 1, yield_time_ms: 60_000 } };
const say = { items: [{ text: "Done." }] };

interface Asked extends Person {
  readonly questions: readonly Question[];
}

function answer(...decisions: readonly ApprovalDecision[]): Asked {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      return decisions[questions.length - 1] ?? { type: "denied", reason: "not expected" };
    },
  };
}

/** A turn for each item, and what has to hold of commands. */
async function openWorld(rules: string, ...items: readonly object[]): Promise<ThreadWorld> {
  const turns = items.map((item) => ("items" in item ? item : { items: [item] }));
  const world = await openThreadWorld({ script: { turns: turns as never } });
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), rules);
  return world;
}

const outputsOf = ({ model }: ThreadWorld): readonly string[] =>
  (model.requests.at(-1)?.input ?? []).flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));

function isThere({ work }: ThreadWorld, name: string): Promise<boolean> {
  return access(join(work, name)).then(
    () => true,
    () => false,
  );
}

const forbidsTouch = 'prefix_rule(pattern=["touch", "made"], decision="forbidden")\n';

test("text for a shell that was opened outside the sandbox is refused once the thread is read-only", async () => {
  await using world = await openWorld("", shell, say, type("touch made\n"), end, say);
  await using thread = await world.openThread({ config: [tool] });
  await runToEnd(thread, "Open it");
  thread.change({ sandboxMode: "read-only" });
  await runToEnd(thread, "Go on");
  expect(outputsOf(world)[1]).toMatch(
    /^Nothing was typed at session 1, which runs outside the walls that hold now: Not run: nobody can be asked/,
  );
  expect(await isThere(world, "made")).toBe(false);
});

test("an Enter under a sandbox does not send text that was typed before it", async () => {
  await using world = await openWorld("", shell, type("touch made"), say, type("\n"), end, say);
  await using thread = await world.openThread({ config: [tool] });
  await runToEnd(thread, "Open it");
  thread.change({ sandboxMode: "read-only" });
  await runToEnd(thread, "Go on");
  expect(outputsOf(world)[2]).toMatch(/^Nothing was typed at session 1, which runs outside the walls/);
  expect(await isThere(world, "made")).toBe(false);
});

test("you are asked about text for a shell outside the current sandbox, as about a command outside", async () => {
  const looks = [type("touch made\n"), type("exit\n"), wait];
  await using world = await openWorld("", shell, say, ...looks, say, type("ls\n"), say);
  const person = answer({ type: "approved.once" }, { type: "approved.once" });
  await using thread = await world.openThread({ person, config: [tool, "approval_policy=on-request"] });
  await runToEnd(thread, "Open it");
  thread.change({ sandboxMode: "workspace-write" });
  await runToEnd(thread, "Go on");
  expect(person.questions).toEqual([
    {
      type: "command.approval",
      threadId: thread.id,
      itemId: expect.any(String),
      command: "touch made\n",
      cwd: world.work,
      askedBy: "the model's request",
      reason: expect.stringContaining("outside the sandbox"),
      justification: `To be typed at session 1, which runs outside the walls that hold now: ${shell.arguments.cmd}`,
      isUnconfined: true,
      proposedPrefix: ["touch", "made"],
      proposedEnv: [],
      alsoAllows: expect.any(String),
    },
    expect.objectContaining({ command: "exit\n" }),
  ]);
  expect(await isThere(world, "made")).toBe(true);
});

test.skipIf(!hasSandbox)(
  "a sandbox that was widened, or did not change, asks nothing about an older shell",
  async () => {
    const looks = [type("touch last\n"), type("exit\n"), wait];
    await using world = await openWorld("", shell, say, type("touch made\n"), say, ...looks, say);
    await using thread = await world.openThread({ config: [tool, "sandbox_mode=workspace-write"] });
    await runToEnd(thread, "Open it");
    thread.change({ sandboxMode: "workspace-write" });
    await runToEnd(thread, "Go on");
    thread.change({ sandboxMode: "danger-full-access" });
    await runToEnd(thread, "Go on");
    expect([await isThere(world, "made"), await isThere(world, "last")]).toEqual([true, true]);
  },
);

/** Ways to type `touch made` in pieces, none of which contains it. */
test.for([
  ["a word in two pieces", ["touch ma", "de\n"]],
  ["a word in pieces behind a key that something else took", ["q", "touch ma", "de\n"]],
  ["a line that goes on behind a backslash", ["touch \\\n", "made\n"]],
  ["a backslash and its Enter apart", ["touch \\", "\n", "made\n"]],
  ["Enter as terminals send it", ["touch made\r"]],
  ["^D in the place of Enter", ["touch made\u0004"]],
  ["a comment whose mark is taken away", ["# touch made", "\u0001\u0004\u0004\n"]],
  ["a word that is mended", ["touch madx\u007Fe\n"]],
  ["a word that is mended apart", ["touch madx", "\u007F", "e\n"]],
  ["a line that is recalled", ["\u0010\n"]],
  ["a line that is recalled by an arrow", ["\u001B[A", "\n"]],
  ["a line that is recalled by its number", ["!-1\n"]],
  ["a line that is recalled and altered", ["^x^touch^\n"]],
  ["a line that is run again", ["fc -s\n"]],
  ["a word that is completed", ["touch ma\t\n"]],
  ["another name for it", ["alias x=touch\n"]],
] as const)("a rule that forbids a command cannot be got round by %s", async ([, pieces]) => {
  const reader = { call: "exec_command", arguments: { cmd: "cat", login: false, tty: true, yield_time_ms: 0 } };
  await using world = await openWorld(forbidsTouch, reader, ...pieces.map((chars) => type(chars)), end, say);
  await using thread = await world.openThread({ config: [tool] });
  await runToEnd(thread, "Go");
  expect(outputsOf(world)).toContainEqual(expect.stringMatching(/^Nothing was typed: Not run: .*my\.rules:1/));
});

test("a shell that a person let be opened is sent nothing that a rule forbids", async () => {
  const pieces = ["touch ma", "de\n"];
  await using world = await openWorld(forbidsTouch, shell, ...pieces.map((chars) => type(chars)), end, say);
  const person = answer({ type: "approved.once" });
  await using thread = await world.openThread({ person, config: [tool, "approval_policy=on-request"] });
  await runToEnd(thread, "Go");
  expect(person.questions).toMatchObject([{ command: shell.arguments.cmd }]);
  expect(outputsOf(world)[2]).toMatch(/^Nothing was typed: Not run: forbidden by policy\. .*my\.rules:1/);
  expect(await isThere(world, "made")).toBe(false);
});

test("what no rule forbids is sent, in pieces or by another Enter", async () => {
  const pieces = ["touch", " other", "\n", "touch last\r", "\n", "exit\n"];
  await using world = await openWorld(forbidsTouch, shell, ...pieces.map((chars) => type(chars)), wait, say);
  const person = answer({ type: "approved.once" });
  await using thread = await world.openThread({ person, config: [tool, "approval_policy=on-request"] });
  await runToEnd(thread, "Go");
  expect(person.questions).toHaveLength(1);
  expect(outputsOf(world).filter((output) => output.startsWith("Nothing was typed"))).toEqual([]);
  expect([await isThere(world, "other"), await isThere(world, "last")]).toEqual([true, true]);
});

test("^C clears the line, and signals need no approval", async () => {
  const reader = { cmd: "trap '' INT TSTP; cat", login: false, tty: true, yield_time_ms: 0 };
  const pieces = ["touch ma", "\u001A", "\u0003", "\n", "de\n", "\u0004"].map((chars) => type(chars));
  await using world = await openWorld(forbidsTouch, { call: "exec_command", arguments: reader }, ...pieces, end, say);
  await using thread = await world.openThread({ config: [tool] });
  await runToEnd(thread, "Go");
  expect(outputsOf(world).filter((output) => output.startsWith("Nothing was typed"))).toEqual([]);
});

test("without rules, keys are typed inside the sandbox, and an approval for unreadable keys is not saved", async () => {
  await using world = await openWorld("", shell, type("\u0010\u000E\t"), end, say);
  await using thread = await world.openThread({ config: [tool] });
  await runToEnd(thread, "Go");
  expect(outputsOf(world).filter((output) => output.startsWith("Nothing was typed"))).toEqual([]);

  await using other = await openWorld("", shell, type("!!\n"), type("!!\n"), type("\u0010\n"), end, say);
  const person = answer({ type: "approved.once" }, { type: "approved.thread" }, { type: "denied", reason: "No." });
  await using wary = await other.openThread({ person, config: [tool, "approval_policy=untrusted"] });
  await runToEnd(wary, "Go");
  expect(person.questions).toMatchObject([
    { command: shell.arguments.cmd },
    { command: "!!\n", reason: expect.stringContaining("`!` or `^`, which recall earlier lines") },
    { command: "!!\n" },
  ]);
  expect(outputsOf(other)[3]).toMatch(/^Nothing was typed: .*control characters other than newline and tab/);
});
