import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, ApprovalQuestion } from "@unroll/protocol";
import { expect, test } from "vitest";
import type { ApprovalPort } from "@unroll/harness";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

interface Asked extends ApprovalPort {
  readonly requests: readonly ApprovalQuestion[];
}

function answer(...decisions: readonly ApprovalDecision[]): Asked {
  const requests: ApprovalQuestion[] = [];
  return {
    requests,
    async decide(request) {
      requests.push(request);
      return decisions[requests.length - 1] ?? { type: "denied", reason: "not expected" };
    },
  };
}

const command = (text: string): object => ({ call: "shell_command", arguments: { command: text, login: false } });
const untrusted = ["approval_policy=untrusted"];

async function openWorld(commands: readonly string[]): Promise<ThreadWorld> {
  const turns = commands.map((text) => ({ items: [command(text)] as never }));
  return openThreadWorld({ script: { turns: [...turns, { items: [{ text: "Done." }] }] } });
}

/** The outputs that the model was given for the commands. */
async function runAll(world: ThreadWorld, settings: ThreadSettings): Promise<readonly string[]> {
  await using thread = await world.openThread(settings);
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  const input = world.model.requests.at(-1)?.input ?? [];
  return input.flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));
}

test("a known-safe read runs unasked, anything else is asked with who asks and why", async () => {
  await using world = await openWorld(["ls", "touch made.txt"]);
  const approvals = answer({ type: "approved.once" });
  const outputs = await runAll(world, { approvals, config: untrusted });
  expect(approvals.requests).toEqual([
    {
      type: "command.approval",
      threadId: expect.any(String),
      itemId: null,
      command: "touch made.txt",
      cwd: world.work,
      askedBy: expect.stringContaining("untrusted"),
      reason: expect.stringContaining("touch"),
      justification: null,
      isUnconfined: false,
      proposedPrefix: ["touch", "made.txt"],
      alsoAllows: expect.stringContaining("`touch made.txt`"),
    },
  ]);
  expect(outputs[1]).toContain("Exit code: 0");
});

test("approved once is asked again, approved for the session is not", async () => {
  await using world = await openWorld(["touch a", "touch a", "touch a"]);
  const approvals = answer({ type: "approved.once" }, { type: "approved.thread" });
  await runAll(world, { approvals, config: untrusted });
  expect(approvals.requests).toHaveLength(2);
});

test("always writes a rule that holds at once and in the next thread", async () => {
  await using world = await openWorld(["git init -q one", "git init -q two"]);
  const approvals = answer({ type: "approved.always", prefix: ["git", "init"] });
  await runAll(world, { approvals, config: untrusted });
  expect(approvals.requests).toMatchObject([
    { proposedPrefix: ["git", "init"], alsoAllows: expect.stringContaining("git init") },
  ]);
  const file = join(world.home, ".codex/rules/default.rules");
  expect(await readFile(file, "utf8")).toBe('prefix_rule(pattern=["git", "init"], decision="allow")\n');
});

test("no goes to the model with what to do instead", async () => {
  await using world = await openWorld(["touch a"]);
  const outputs = await runAll(world, { approvals: answer({ type: "denied", reason: "Use b." }), config: untrusted });
  expect(outputs).toEqual(["The command was not run: The user said no, and: Use b."]);
});

test("a dangerous command is asked for under a permissive rule too", async () => {
  await using world = await openWorld(["rm -rf ~"]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["rm"], decision="allow")\n');
  const approvals = answer({ type: "denied", reason: null });
  await runAll(world, { approvals, config: ["approval_policy=on-request"] });
  expect(approvals.requests).toHaveLength(1);
});

test("where nobody can be asked, what would ask is refused with a reason", async () => {
  await using world = await openWorld(["touch a"]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  const outputs = await runAll(world, {});
  expect(outputs[0]).toMatch(/^The command was not run: .*my\.rules:1/);
});

test("a rules file with an error stops the thread from opening, with the place", async () => {
  await using world = await openWorld([]);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  await writeFile(join(world.home, ".codex/rules/my.rules"), "prefix_rule(pattern=[\n");
  await expect(world.openThread()).rejects.toThrow(/my\.rules:\d+:\d+: /);
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
