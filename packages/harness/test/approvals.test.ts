import { execFileSync } from "node:child_process";
import { access, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, Person, Question, ThreadEvent } from "@unroll/protocol";
import { describe, expect, test } from "vitest";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

interface Asked extends Person {
  readonly questions: readonly Question[];
}

/** Says one after the other; what a decision should not be, too. */
function answer(...decisions: readonly (ApprovalDecision | (() => unknown))[]): Asked {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      const decision = decisions[questions.length - 1] ?? { type: "denied", reason: "not expected" };
      return (typeof decision === "function" ? decision() : decision) as ApprovalDecision;
    },
  };
}

const command = (text: string) => ({ call: "exec_command", arguments: { cmd: text, login: false } });
const addFile = (path: string) => ({
  custom: "apply_patch",
  input: `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch`,
});
const untrusted = ["approval_policy=untrusted"];

/** One call a response; a text is a command. */
function openWorld(calls: readonly (string | object)[]): Promise<ThreadWorld> {
  const turns = calls.map((call) => ({ items: [typeof call === "string" ? command(call) : call] as never }));
  return openThreadWorld({ script: { turns: [...turns, { items: [{ text: "Done." }] }] } });
}

/** The outputs that the model was given for the calls. */
async function runAll(world: ThreadWorld, settings: ThreadSettings): Promise<readonly string[]> {
  return (await runSeen(world, settings)).outputs;
}

/** Like `runAll`, with the events. */
async function runSeen(
  world: ThreadWorld,
  settings: ThreadSettings,
): Promise<{ readonly outputs: readonly string[]; readonly events: readonly ThreadEvent[] }> {
  await using thread = await world.openThread(settings);
  const { outcome, events } = await runToEnd(thread, "Go");
  expect(outcome.type).toBe("completed");
  const input = world.model.requests.at(-1)?.input ?? [];
  return { events, outputs: input.flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : [])) };
}

async function exists(world: ThreadWorld, name: string): Promise<boolean> {
  return access(join(world.work, name)).then(
    () => true,
    () => false,
  );
}

test("a known-safe read runs unasked; any other command is asked about, with the origin and the reason", async () => {
  await using world = await openWorld(["ls", "touch made.txt"]);
  const person = answer({ type: "approved.once" });
  await using thread = await world.openThread({ person, config: untrusted });
  const { events } = await runToEnd(thread, "Go");
  expect(person.questions).toEqual([
    {
      type: "command.approval",
      threadId: thread.id,
      itemId: "item_1",
      command: "touch made.txt",
      cwd: world.work,
      askedBy: expect.stringContaining("untrusted"),
      reason: expect.stringContaining("touch"),
      justification: null,
      isUnconfined: false,
      proposedPrefix: ["touch", "made.txt"],
      proposedEnv: [],
      alsoAllows: expect.stringContaining("`touch made.txt`"),
    },
  ]);
  const trace = { question: "command.approval", item_id: "item_1" };
  const from = events.findIndex((event) => event.type === "item.started" && event.item.id === "item_1");
  expect(events.slice(from, from + 4)).toMatchObject([
    { type: "item.started", item: { id: "item_1", status: "in_progress" } },
    { type: "question.asked", ...trace, reason: expect.stringContaining("touch") },
    { type: "question.answered", ...trace, answer: "approved.once" },
    { type: "item.completed", item: { id: "item_1", status: "completed", exit_code: 0 } },
  ]);
});

test.for([
  ["false", () => false],
  ["true", () => true],
  ["nothing", () => undefined],
  ["null", () => null],
  ["a text", () => "no"],
  ["the name of an approval", () => "approved.once"],
  ["an empty object", () => ({})],
  ["a no of its own", () => ({ type: "deny" })],
  ["a yes of its own", () => ({ type: "approved" })],
  ["a list of approvals", () => [{ type: "approved.once" }]],
  ["an approval with a condition", () => ({ type: "approved.once", if: "quiet" })],
  ["always, for no prefix", () => ({ type: "approved.always", prefix: [] })],
  ["always, for what are no words", () => ({ type: "approved.always", prefix: [1] })],
  ["always, for what the command does not start with", () => ({ type: "approved.always", prefix: ["rm"] })],
  ["an answer to another question", () => ({ type: "accepted", values: {} })],
  [
    "an exception",
    () => {
      throw new Error("the dialog broke");
    },
  ],
] satisfies readonly (readonly [string, () => unknown])[])("%s approves nothing", async ([, wrong]) => {
  await using world = await openWorld(["touch made.txt"]);
  const { outputs, events } = await runSeen(world, { person: answer(wrong), config: untrusted });
  expect(await exists(world, "made.txt")).toBe(false);
  expect(outputs[0]).toMatch(/^The command was not run: .* Nobody gave a valid answer, so it was refused\.$/);
  expect(events).toContainEqual({
    type: "question.answered",
    question: "command.approval",
    item_id: "item_0",
    answer: "invalid",
    answered_at: expect.any(Number) as number,
  });
  expect(events).toContainEqual({ type: "warning", message: expect.stringContaining("counts as a no") });
  expect(events).toContainEqual({
    type: "item.completed",
    item: expect.objectContaining({ id: "item_0", status: "declined", reason: expect.stringContaining("touch") }),
  });
});

test('"always" is not a valid answer if no rule was proposed', async () => {
  await using world = await openWorld(["rm -rf ~; touch made.txt"]);
  const person = answer({ type: "approved.always", prefix: ["touch"] });
  await runAll(world, { person, config: untrusted });
  expect(person.questions).toMatchObject([{ proposedPrefix: null }]);
  expect(await exists(world, "made.txt")).toBe(false);
});

test("a command with control characters is refused before anybody is asked", async () => {
  await using world = await openWorld(["make lint #\u001b]\ntouch made.txt\n#\u001b\\", "touch a\tb\ntouch c"]);
  const person = answer({ type: "approved.once" });
  const outputs = await runAll(world, { person, config: untrusted });
  expect(outputs[0]).toMatch(/^The command was not run: .*control characters other than newline and tab/);
  expect(person.questions).toMatchObject([{ command: "touch a\tb\ntouch c" }]);
  expect(await exists(world, "made.txt")).toBe(false);
  expect(await exists(world, "c")).toBe(true);
});

test("one who does not take approvals is not asked for any", async () => {
  await using world = await openWorld(["touch made.txt"]);
  const person: Asked = { ...answer(), takes: ["model.questions"] };
  const outputs = await runAll(world, { person, config: untrusted });
  expect(outputs[0]).toContain("Nobody is here to approve it");
  expect(person.questions).toEqual([]);
});

test("approved once is asked again, approved for the thread is not", async () => {
  await using world = await openWorld(["touch a", "touch a", "touch a"]);
  const person = answer({ type: "approved.once" }, { type: "approved.thread" });
  await runAll(world, { person, config: untrusted });
  expect(person.questions).toHaveLength(2);
});

test("always writes a rule that holds at once and in the next thread", async () => {
  await using world = await openWorld(["git init -q one", "git init -q two"]);
  const person = answer({ type: "approved.always", prefix: ["git", "init"] });
  await runAll(world, { person, config: untrusted });
  expect(person.questions).toMatchObject([
    { proposedPrefix: ["git", "init"], alsoAllows: expect.stringContaining("git init") },
  ]);
  const file = join(world.home, ".codex/rules/default.rules");
  expect(await readFile(file, "utf8")).toBe('prefix_rule(pattern=["git", "init"], decision="allow")\n');
});

test("always writes the variables of the command into the rule, so that people are asked once", async () => {
  await using world = await openWorld([
    "DATABASE_URL=a touch one",
    "DATABASE_URL=b touch one",
    "OTHER=1 DATABASE_URL=b touch one",
  ]);
  const person = answer({ type: "approved.always", prefix: ["touch", "one"] }, { type: "denied", reason: null });
  await runAll(world, { person, config: untrusted });
  expect(person.questions).toMatchObject([
    {
      proposedPrefix: ["touch", "one"],
      proposedEnv: ["DATABASE_URL"],
      alsoAllows: expect.stringContaining("`touch one`, with any value of DATABASE_URL, will run"),
    },
    {
      reason: expect.stringMatching(/gets OTHER, which the rule .*default\.rules:1 does not allow\./),
      proposedEnv: ["DATABASE_URL", "OTHER"],
    },
  ]);
  const file = join(world.home, ".codex/rules/default.rules");
  const rule = 'prefix_rule(pattern=["touch", "one"], decision="allow", env=["DATABASE_URL"])\n';
  expect(await readFile(file, "utf8")).toBe(rule);
});

test.skipIf(!hasSandbox)(
  "a rule lets git out of the sandbox only in repositories that were there when the thread opened",
  async () => {
    const plant = 'git init -q "$D" && git -C "$D" config core.fsmonitor "touch $PWD/ran; false"';
    await using world = await openWorld([
      "git init -q inner",
      "cd inner && git add -A",
      { call: "exec_command", arguments: { cmd: "git add -A", workdir: "inner", login: false } },
      "cd away && git add -A",
      "git -C away add -A",
      "git add -A",
    ]);
    const outside = join(world.home, "outside");
    execFileSync("sh", ["-c", plant], { cwd: world.work, env: { ...process.env, D: outside } });
    execFileSync("git", ["init", "-q", "."], { cwd: world.work });
    await symlink(outside, join(world.work, "away"));
    await mkdir(join(world.home, ".codex/rules"), { recursive: true });
    await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["git", ["add", "init", "-C"]])\n');
    const person = answer({ type: "approved.once" });
    await runAll(world, { person, config: ["approval_policy=untrusted", "sandbox_mode=workspace-write"] });
    expect(person.questions.map((question) => "command" in question && question.command)).toEqual([
      "cd inner && git add -A",
      "git add -A",
      "cd away && git add -A",
      "git -C away add -A",
    ]);
    expect(await exists(world, "ran")).toBe(false);
  },
);

test("no goes to the model with what to do instead", async () => {
  await using world = await openWorld(["touch a"]);
  const outputs = await runAll(world, { person: answer({ type: "denied", reason: "Use b." }), config: untrusted });
  expect(outputs).toEqual(["The command was not run: The user said no, and: Use b."]);
});

test("after a denial without a reason, the item reports the denial, and the model gets advice on how to continue", async () => {
  await using world = await openWorld(["touch a"]);
  const settings = { person: answer({ type: "denied", reason: null }), config: untrusted };
  const { outputs, events } = await runSeen(world, settings);
  expect(outputs).toEqual([expect.stringMatching(/^The command was not run: The user said no\. Do not try it again/)]);
  const item: unknown = expect.objectContaining({ status: "declined", reason: "The user said no." });
  expect(events).toContainEqual({ type: "item.completed", item });
});

test("a dangerous command is asked for under a permissive rule too", async () => {
  await using world = await openWorld(["rm -rf ~"]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["rm"], decision="allow")\n');
  const person = answer({ type: "denied", reason: null });
  await runAll(world, { person, config: ["approval_policy=on-request"] });
  expect(person.questions).toHaveLength(1);
});

test("where nobody can be asked, what would ask is refused with a reason", async () => {
  await using world = await openWorld(["touch a"]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  const outputs = await runAll(world, {});
  expect(outputs[0]).toMatch(/^The command was not run: .*my\.rules:1/);
});

test("a granular policy asks what it names, and refuses what a rule prompts for where it does not name rules", async () => {
  await using world = await openWorld([
    "touch a",
    { call: "exec_command", arguments: { cmd: "touch b", login: false } },
  ]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  const silent = answer();
  const config = ["approval_policy={ granular = { sandbox_approval = true } }"];
  const outputs = await runAll(world, { person: silent, config });
  expect(silent.questions).toEqual([]);
  expect(outputs[0]).toMatch(/my\.rules:1.* The approval policy refuses what a rule asks about\./s);
  expect(await exists(world, "a")).toBe(false);

  await using other = await openWorld(["touch a"]);
  await mkdir(join(other.home, ".codex/rules"), { recursive: true });
  await writeFile(join(other.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  const person = answer({ type: "approved.once" });
  await runAll(other, { person, config: ["approval_policy={ granular = { sandbox_approval = true, rules = true } }"] });
  expect(person.questions).toHaveLength(1);
  expect(await exists(other, "a")).toBe(true);
});

test("a granular policy of rules alone asks what a rule prompts for, and nothing else of commands", async () => {
  await using world = await openWorld([
    "touch a",
    {
      call: "exec_command",
      arguments: { cmd: "mkdir b", login: false, sandbox_permissions: "require_escalated" },
    },
  ]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  const person = answer({ type: "approved.once" });
  const config = ["approval_policy={ granular = { rules = true } }", "sandbox_mode=workspace-write"];
  const outputs = await runAll(world, { person, config });
  expect(person.questions).toMatchObject([{ type: "command.approval", command: expect.stringContaining("touch a") }]);
  expect(await exists(world, "a")).toBe(true);
  expect(outputs[1]).toContain("nobody can be asked");
  expect(await exists(world, "b")).toBe(false);
});

test("a rules file with an error stops the thread from opening, with the place", async () => {
  await using world = await openWorld([]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), "prefix_rule(pattern=[\n");
  await expect(world.openThread()).rejects.toThrow(/my\.rules:\d+:\d+: /);
});

test("a named pipe among the rules stops the thread from opening, and is not waited for", async () => {
  await using world = await openWorld([]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  execFileSync("mkfifo", [join(world.home, ".codex/rules/my.rules")]);
  await expect(world.openThread()).rejects.toThrow(/my\.rules: cannot be read: it is a pipe, not a regular file\.$/);
});

test("without anybody to ask, untrusted runs what only reads, and refuses the rest with a reason", async () => {
  await using world = await openWorld(["ls", "touch a"]);
  const [read, write] = await runAll(world, { config: untrusted });
  expect(read).toContain("Exit code: 0");
  expect(write).toMatch(/^The command was not run: .*untrusted.* Nobody is here to approve it/);
});

test("a rule lets a command out of the sandbox, but not one that only reads", async () => {
  await using world = await openWorld(["cat /proc/$PPID/environ | tr '\\0' '\\n'"]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(
    join(world.home, ".codex/rules/my.rules"),
    'prefix_rule(pattern=[["cat", "tr"]], decision="allow")\n',
  );
  const env = { MODEL_KEY: "canary-key-123456" };
  const config = ["sandbox_mode=workspace-write", "model_providers.test.env_key=MODEL_KEY"];
  const [output] = await runAll(world, { config, env });
  expect(output).not.toContain("canary");
});

describe("a patch", () => {
  test("is asked about with its diff, and who asks is named once", async () => {
    await using world = await openWorld([addFile("a.txt"), addFile("../outside.txt")]);
    const person = answer({ type: "approved.once" }, { type: "denied", reason: "Stay inside." });
    const config = ["approval_policy=untrusted", "sandbox_mode=workspace-write"];
    const outside = join(world.work, "../outside.txt");
    const slashTmp = "sandbox_workspace_write.exclude_slash_tmp=true";
    const { outputs, events } = await runSeen(world, { person, config: [...config, slashTmp] });
    const path = join(world.work, "a.txt");
    expect(person.questions).toEqual([
      {
        type: "patch.approval",
        threadId: expect.any(String),
        itemId: "item_0",
        changes: [{ path, kind: "add" }],
        diff: `--- /dev/null\n+++ ${path}\n@@ -0,0 +1,1 @@\n+text\n`,
        outsideRoots: [],
        editFolders: expect.arrayContaining([world.work]),
        askedBy: "approval policy untrusted",
        reason: "The approval policy untrusted asks before files are changed.",
      },
      expect.objectContaining({
        outsideRoots: [outside],
        editFolders: [],
        askedBy: "sandbox mode workspace-write",
        reason: `The sandbox mode workspace-write does not let a patch write ${outside} without approval.`,
      }),
    ]);
    expect(outputs[1]).toBe("The patch was not applied: The user said no, and: Stay inside.");
    expect(events).toContainEqual({
      type: "item.completed",
      item: expect.objectContaining({ status: "declined", reason: "The user said no, and: Stay inside." }),
    });
  });

  test("is asked about under untrusted whatever commands may write", async () => {
    await using world = await openWorld([addFile("a.txt")]);
    const person = answer({ type: "denied", reason: "Not now." });
    const { outputs } = await runSeen(world, {
      person,
      config: ["approval_policy=untrusted", "sandbox_mode=danger-full-access"],
    });
    expect(person.questions).toMatchObject([{ type: "patch.approval", askedBy: "approval policy untrusted" }]);
    expect(outputs).toEqual(["The patch was not applied: The user said no, and: Not now."]);
  });

  test("of files that were approved for the thread is not asked about again", async () => {
    await using world = await openWorld([addFile("a.txt"), addFile("a.txt"), addFile("b.txt")]);
    const person = answer({ type: "approved.thread" }, { type: "approved.once" });
    const config = ["approval_policy=untrusted", "sandbox_mode=workspace-write"];
    await runAll(world, { person, config });
    expect(person.questions).toMatchObject([
      { changes: [{ path: join(world.work, "a.txt") }] },
      { changes: [{ path: join(world.work, "b.txt") }] },
    ]);
  });
});

test.skipIf(!hasSandbox)(
  "on-failure asks when the sandbox stopped a command, and names itself as who asks",
  async () => {
    await using world = await openWorld(["touch ../made.txt"]);
    const person = answer({ type: "denied", reason: "Write it here." });
    const config = [
      "approval_policy=on-failure",
      "sandbox_mode=workspace-write",
      "sandbox_workspace_write.exclude_slash_tmp=true",
      "sandbox_workspace_write.exclude_tmpdir_env_var=true",
    ];
    const outputs = await runAll(world, { person, config });
    expect(person.questions).toMatchObject([
      {
        askedBy: "approval policy on-failure",
        reason: expect.stringMatching(/^The sandbox stopped it: .* The approval policy on-failure asks/),
        isUnconfined: true,
      },
    ]);
    expect(outputs[0]).toMatch(/It was not run again outside the sandbox\. The user said no, and: Write it here\.$/);
  },
);
