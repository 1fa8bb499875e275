import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Person, Question } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const status = { call: "exec_command", arguments: { cmd: "git status --short", login: false } };
const listing = { call: "exec_command", arguments: { cmd: "ls", login: false } };
const boundedListing = { call: "exec_command", arguments: { cmd: "timeout 5 cat a.txt", login: false } };
const fsmonitor = (world: ThreadWorld): string => `touch ${join(world.home, "ran")} #`;

interface Asked extends Person {
  readonly questions: Question[];
}

function createAsked(): Asked {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      return { type: "denied", reason: null };
    },
  };
}

function git(world: ThreadWorld, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd: world.work, env: { PATH: process.env["PATH"], HOME: world.home } });
}

async function readStatus(prepare: (world: ThreadWorld) => void): Promise<{ asked: Asked; hasRun: boolean }> {
  const script = { turns: [{ items: [status] }, { items: [{ text: "Done." }] }] };
  await using world = await openThreadWorld({ script }, { files: { "a.txt": "a\n" } });
  git(world, "init", "-q");
  prepare(world);
  const asked = createAsked();
  await using thread = await world.openThread({ person: asked, config: ["approval_policy=untrusted"] });
  await runToEnd(thread, "Go");
  return { asked, hasRun: existsSync(join(world.home, "ran")) };
}

test("a git that reads runs unasked where the repository names no program, and its file watcher never runs", async () => {
  const { asked, hasRun } = await readStatus((world) => git(world, "config", "core.fsmonitor", fsmonitor(world)));
  expect(asked.questions).toEqual([]);
  expect(hasRun).toBe(false);
});

interface PathSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly string[];
}

const ownPath = process.env["PATH"] ?? "";

const places: readonly { readonly how: string; readonly settle: (bin: string, home: string) => PathSettings }[] = [
  { how: "in front in PATH", settle: (bin) => ({ env: { PATH: `${bin}:${ownPath}` } }) },
  {
    how: "in front in the PATH that is set for commands",
    settle: (bin) => ({ config: [`shell_environment_policy.set.PATH="${bin}:${ownPath}"`] }),
  },
  {
    how: "behind a link in PATH",
    settle(bin, home) {
      symlinkSync(dirname(bin), join(home, "link"));
      return { env: { PATH: `${join(home, "link/bin")}:${ownPath}` } };
    },
  },
];

test.for(places)("programs of the project's own, $how, are not taken for those that only read", async ({ settle }) => {
  const script = { turns: [{ items: [status, listing, boundedListing] }, { items: [{ text: "Done." }] }] };
  await using world = await openThreadWorld({ script }, { files: { "a.txt": "a\n" } });
  const bin = join(world.work, "tools/bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["git", "ls", "timeout"])
    writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${join(world.home, "ran")}\n`, { mode: 0o755 });
  const asked = createAsked();
  const { env = {}, config = [] } = settle(bin, world.home);
  await using thread = await world.openThread({ person: asked, env, config: ["approval_policy=untrusted", ...config] });
  await runToEnd(thread, "Go");
  const commands = ["git status --short", "ls", "timeout 5 cat a.txt"];
  expect(asked.questions).toMatchObject(commands.map((command) => ({ command })));
  expect(existsSync(join(world.home, "ran"))).toBe(false);
});

test("a git that would run a filter of the repository is asked about", async () => {
  const { asked, hasRun } = await readStatus((world) => {
    git(world, "config", "filter.x.clean", fsmonitor(world));
    git(world, "add", "a.txt");
  });
  expect(asked.questions).toMatchObject([{ type: "command.approval", command: "git status --short" }]);
  expect(hasRun).toBe(false);
});
