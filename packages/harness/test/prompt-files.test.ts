import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const key = "key-of-the-login-0123456789";
const answer = { items: [{ text: "Done." }] };

/** A project with a hidden folder and a neighbour, and a login in `$CODEX_HOME`; each of them has the key. */
async function openProject(turns: readonly object[]): Promise<ThreadWorld> {
  const world = await openThreadWorld({ script: { turns } as never });
  mkdirSync(join(world.work, ".git"));
  write(join(world.home, ".codex/auth.json"), JSON.stringify({ OPENAI_API_KEY: key }));
  write(join(world.home, ".codex/AGENTS.md"), "Rules of the user.");
  write(join(world.work, "hidden/plans.txt"), key);
  write(join(world.work, "../neighbour/AGENTS.md"), key);
  write(join(world.work, "../neighbour/skill/SKILL.md"), `---\nname: other\ndescription: ${key}\n---\n${key}\n`);
  return world;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Seen {
  /** Whether the key was in a request. */
  readonly leaks: boolean;
  readonly warnings: readonly string[];
}

async function runTurns(world: ThreadWorld, mode: string, inputs: readonly string[]): Promise<Seen> {
  const config = [
    `sandbox_mode=${mode}`,
    'sandbox.deny_read=["hidden"]',
    `projects."${world.work}".trust_level=trusted`,
  ];
  await using thread = await world.openThread({ config });
  const warnings: string[] = [];
  for (const input of inputs) {
    const { events } = await runToEnd(thread, input);
    warnings.push(...events.flatMap((event) => (event.type === "warning" ? [event.message] : [])));
  }
  return { leaks: JSON.stringify(world.model.requests.map(({ input }) => input)).includes(key), warnings };
}

interface Trap {
  readonly make: typeof symlinkSync | typeof linkSync;
  readonly name: string;
  readonly target: string;
  readonly reason: string;
}

const traps: readonly Trap[] = [
  { make: symlinkSync, name: "AGENTS.md", target: "../home/.codex/auth.json", reason: "leads to a hidden file" },
  { make: symlinkSync, name: "AGENTS.override.md", target: "hidden/plans.txt", reason: "leads to a hidden file" },
  { make: linkSync, name: "AGENTS.md", target: "../home/.codex/auth.json", reason: "is another name of a hidden file" },
  { make: linkSync, name: "AGENTS.md", target: "hidden/plans.txt", reason: "is another name of a hidden file" },
  { make: symlinkSync, name: "AGENTS.md", target: "../neighbour/AGENTS.md", reason: "leads out of the project" },
  { make: symlinkSync, name: ".codex/skills/other", target: "../neighbour/skill", reason: "leads out of the project" },
];

test.for(traps)("$name of the project that $reason is not sent, and said ($target)", async ({ make, ...trap }) => {
  await using world = await openProject([answer]);
  mkdirSync(dirname(join(world.work, trap.name)), { recursive: true });
  make(join(world.work, trap.target), join(world.work, trap.name));
  const { leaks, warnings } = await runTurns(world, "read-only", ["Go"]);
  expect(leaks).toBe(false);
  expect(warnings.filter((message) => message.includes(trap.reason))).toHaveLength(1);
});

test("without a sandbox, too, no file of unroll's own folder is sent but those for the model", async () => {
  await using world = await openProject([answer]);
  symlinkSync(join(world.home, ".codex/auth.json"), join(world.work, "AGENTS.md"));
  const { leaks, warnings } = await runTurns(world, "danger-full-access", ["Go"]);
  expect(leaks).toBe(false);
  expect(warnings).toContain(
    `${join(world.work, "AGENTS.md")} leads to a file of unroll's own folder: it was skipped.`,
  );
});

test("a link that a command makes between two turns is not followed either", async () => {
  const command = { call: "exec_command", arguments: { cmd: "ln -s ../neighbour/AGENTS.md AGENTS.md", login: false } };
  await using world = await openProject([{ items: [command] }, answer, answer]);
  const { leaks, warnings } = await runTurns(world, "danger-full-access", ["Link it", "And now?"]);
  expect(leaks).toBe(false);
  expect(warnings.some((message) => message.includes("leads out of the project"))).toBe(true);
});

test("a link within the project is read, and so is one to the user's own rules", async () => {
  await using world = await openProject([answer]);
  write(join(world.work, "CLAUDE.md"), "Rules of the project.");
  symlinkSync("CLAUDE.md", join(world.work, "AGENTS.md"));
  mkdirSync(join(world.work, "deep"));
  symlinkSync(join(world.home, ".codex/AGENTS.md"), join(world.work, "deep/AGENTS.md"));
  const { warnings } = await runTurns(world, "read-only", ["Go"]);
  expect(warnings.filter((message) => message.includes("AGENTS.md"))).toEqual([]);
  expect(JSON.stringify(world.model.requests[0]?.input)).toContain("Rules of the project.");
});
