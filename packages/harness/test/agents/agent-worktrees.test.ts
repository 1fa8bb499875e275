import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import type { Thread } from "@unroll/harness";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { runToEnd, type ThreadWorld } from "../thread-world.ts";
import {
  callsIn,
  config,
  openStore,
  openWorld,
  outputsOf,
  type Play,
  runUntilKilled,
  say,
  start,
} from "./agent-world.ts";

const command = (cmd: string): Turn => ({ items: [{ call: "exec_command", arguments: { cmd, login: false } }] });
const patchOf = (name: string): Turn => ({
  items: [{ custom: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch` }],
});
const confined = ["sandbox_mode=workspace-write", "approval_policy=never"];

function git(folder: string, ...args: readonly string[]): string {
  const own = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, ...env } = process.env;
  return execFileSync("git", [...own, ...args], { cwd: folder, encoding: "utf8", env, stdio: "pipe" });
}

function commitAll(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "First");
}

async function openRepository(play: Play, files: Readonly<Record<string, string>> = {}): Promise<ThreadWorld> {
  const world = await openWorld(play, { files: { "a.txt": "one\n", "sub/b.txt": "b\n", ...files } });
  commitAll(world.work);
  return world;
}

const lastOutput = (request: CapturedRequest | undefined): string => outputsOf(request).at(-1) ?? "";
const requestsOf = ({ model }: ThreadWorld, task: string): readonly CapturedRequest[] =>
  model.requests.filter(({ raw }) => raw.toString().includes(`"text":"${task}"`));
const treesOf = ({ work }: ThreadWorld): readonly string[] =>
  git(work, "worktree", "list", "--porcelain")
    .split("\n")
    .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
    .slice(1);

/** The content of each file below, and the target of each link. */
function readAll(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names.map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return [name, readlinkSync(path)];
      const text = stats.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return [name, `${stats.mode} ${text}`];
    }),
  );
}

test("a sub-agent's changes in its worktree are offered as a diff that applies, and nothing is merged", async () => {
  await using world = await openRepository({
    Ask: (_, step) =>
      step === 0 ? start({ message: "left", worktree: true }, { message: "right", worktree: true }) : say("End."),
    left: (_, step) => (step === 0 ? command("echo two > a.txt; printf '\\0' > b.bin; rm sub/b.txt") : say("Left.")),
    right: (_, step) => (step === 0 ? command("cat a.txt") : say("Right.")),
  });
  writeFileSync(join(world.work, "new"), "x");
  await using thread = await world.openThread({ config, store: openStore(world) });
  const { events } = await runToEnd(thread, "Ask");
  const find = (wanted: string) => thread.agents.list().find(({ name }) => name === wanted);
  const [left, right] = [find("left"), find("right")];
  const { path = "", branch = "", patch = null } = left?.worktree ?? {};
  expect(left?.worktree).toEqual({
    path: expect.stringContaining(join(world.home, ".local/share/unroll/worktrees")) as string,
    branch: expect.stringMatching(/^unroll\/\w{12}$/) as string,
    patch: join(path, "../changes.patch"),
  });
  const leftOut = `The worktree leaves out the uncommitted changes in ${world.work} (1 file).`;
  expect(outputsOf(world.model.requests.at(-1))).toEqual([
    `Sub-agent left (thread ID): completed\nused: N tokens\nfiles that it changed: a.txt, b.bin, sub/b.txt\nworktree: ${path} on branch ${branch}. Nothing of it is in your folder. ${leftOut} The diff: ${patch}. To take it over: git -C ${world.work} apply ${patch}\n\nLeft.`,
    `Sub-agent right (thread ID): completed\nused: N tokens\nworktree: It changed nothing, so it was removed. ${leftOut}\n\nRight.`,
  ]);
  expect(callsIn(events).find(({ agent }) => agent?.name === "left")?.agent).toEqual(left);
  expect(right).not.toHaveProperty("worktree");
  expect([git(world.work, "status", "--porcelain"), treesOf(world)]).toEqual(["?? new\n", [path]]);
  git(world.work, "apply", patch ?? "");
  expect(git(world.work, "status", "--porcelain")).toBe(" M a.txt\n D sub/b.txt\n?? b.bin\n?? new\n");
});

test("a sub-agent without a sandbox may commit, and the diff has that, too", async () => {
  const commit = "echo two > a.txt; git -c user.name=a -c user.email=a@b commit -qam Second; echo > late";
  await using world = await openRepository({
    Ask: (_, step) => (step === 0 ? start({ message: "commit", worktree: true }) : say("End.")),
    commit: (_, step) => (step === 0 ? command(commit) : say("Done.")),
  });
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Ask");
  expect(lastOutput(world.model.requests.at(-1))).toContain("files that it changed: a.txt, late\n");
  expect(git(world.work, "log", "--format=%s", "main")).toBe("First\n");
});

test("a sub-agent that continues is in its worktree again; after a kill, too, and there is never a second one", async () => {
  const hung = Promise.withResolvers<void>();
  let isBack = false;
  await using world = await openRepository({
    Go(_, step) {
      if (step === 0) return start({ message: "dig", worktree: true });
      if (step === 2) return { items: [{ call: "send_message", arguments: { target: "dig", message: "More." } }] };
      return step === 1 || step === 3 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    dig(_, step) {
      if (step === 0) return command("echo 1 >> a.txt; pwd");
      if (!isBack) {
        hung.resolve();
        return { items: [], end: "none", keepOpen: true };
      }
      return step === 2 || step === 4 ? command("echo 2 >> a.txt; pwd") : say("Dug.");
    },
  });
  await runUntilKilled(world, hung.promise);
  isBack = true;
  const [tree = ""] = treesOf(world);
  await using thread: Thread = await world.openThread({ store: openStore(world), resume: "last", config });
  expect(thread.agents.list()).toMatchObject([{ state: "stopped", worktree: { path: tree, patch: null } }]);
  await runToEnd(thread, "More");
  const where = outputsOf(requestsOf(world, "dig").at(-1)).filter((output) => output.includes(tree));
  expect(where).toHaveLength(3);
  expect(treesOf(world)).toEqual([tree]);
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("one\n1\n2\n2\n");
  expect(lastOutput(world.model.requests.at(-1))).toContain("files that it changed: a.txt\n");
});

test.each([
  ["has the diff", false],
  ["says that the worktree is gone", true],
])("a report that the model did not get before the process ended %s", async (_, isGone) => {
  await using world = await openRepository({
    Ask: (_request, step) =>
      step === 0 ? start({ message: "change", worktree: true, wait: false }) : say("It works."),
    change: (_request, step) => (step === 0 ? command("echo two > a.txt") : say("Changed.")),
  });
  const store = openStore(world);
  const first = await world.openThread({ config, store });
  await runToEnd(first, "Ask");
  await first.agents.untilIdle(new AbortController().signal);
  await first[Symbol.asyncDispose]();
  const [agent] = first.agents.list();
  const { path = "", patch = "" } = agent?.worktree ?? {};
  if (isGone) rmSync(path, { recursive: true });
  await using again = await world.openThread({ config, store, resume: first.id });
  expect(again.agents.list()[0]?.worktree).toEqual(isGone ? undefined : agent?.worktree);
  await runToEnd(again, "More");
  const last = world.model.requests.at(-1)?.raw.toString();
  expect(last).toContain(isGone ? "worktree: It is not there any more." : patch);
  expect(existsSync(path)).toBe(!isGone);
});

test("a thread that nobody saves removes the worktree of its sub-agent when it closes, if it has no changes", async () => {
  await using world = await openRepository({
    Ask: (_, step) => (step === 0 ? start({ message: "look", worktree: true }) : say("End.")),
    look: (_, step) => (step === 0 ? command("cat a.txt") : say("Seen.")),
  });
  const thread = await world.openThread({ config, ephemeral: true });
  await runToEnd(thread, "Ask");
  expect(treesOf(world)).toHaveLength(1);
  expect(lastOutput(world.model.requests.at(-1))).toContain("It changed no files.");
  await thread[Symbol.asyncDispose]();
  expect([treesOf(world), git(world.work, "branch", "--format=%(refname:short)")]).toEqual([[], "main\n"]);
});

test("a worktree that is gone is made again for a sub-agent that continues, unless its parent only reads by then", async () => {
  const more = { items: [{ call: "send_message", arguments: { target: "look", message: "More." } }] };
  await using world = await openRepository({
    Ask(_, step) {
      if (step === 0) return start({ message: "look", worktree: true });
      if (step === 3) thread.change({ sandboxMode: "read-only" });
      if (step === 1 || step === 3) return more;
      return step === 2 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    look: (_, step) => (step === 0 ? command("cat a.txt") : step === 2 ? command("ls") : say("Seen.")),
  });
  await using thread = await world.openThread({ config, store: openStore(world) });
  await runToEnd(thread, "Ask");
  const [, , again, refused] = outputsOf(world.model.requests.at(-1));
  expect(again).toContain("It changed nothing, so it was removed.");
  expect(refused).toBe("The message was not sent. Your sandbox cannot write here, so there is no worktree.");
  expect(lastOutput(requestsOf(world, "look").at(-1))).toMatch(/a\.txt\nsub/);
});

test("a role may ask for a worktree, which a sub-agent that only reads does not get", async () => {
  await using world = await openRepository({
    Ask: (_, step) =>
      step === 0
        ? start(
            { message: "change", agent_type: "apart" },
            { message: "look", agent_type: "apart", sandbox: "read-only" },
          )
        : say("End."),
    change: (_, step) => (step === 0 ? patchOf("made") : say("Changed.")),
    look: () => say("Seen."),
  });
  const agents = [{ name: "apart", description: "Works apart.", worktree: true }];
  await using thread = await world.openThread({ agents, store: openStore(world) });
  await runToEnd(thread, "Ask");
  const places = thread.agents.list().map(({ name, worktree }) => [name, worktree?.path]);
  expect(Object.fromEntries(places)).toEqual({ change: treesOf(world)[0], look: undefined });
  expect(existsSync(join(treesOf(world)[0] ?? "", "made"))).toBe(true);
});

test("a program's sub-agent says where its changes are", async () => {
  await using world = await openRepository({
    change: (_, step) => (step === 0 ? command("echo two > a.txt") : say("Changed.")),
  });
  await using thread = await world.openThread({ store: openStore(world) });
  const agent = await thread.spawn("change", { worktree: true });
  const { changedFiles, worktree } = await agent.result;
  expect({ changedFiles, worktree }).toEqual({ changedFiles: ["a.txt"], worktree: agent.progress.worktree });
  expect(readFileSync(worktree?.patch ?? "", "utf8")).toContain("-one\n+two\n");
});

test.each([
  [{ folder: "sub" }, [], "Give a folder or a worktree, not both."],
  [{ sandbox: "read-only" }, [], "Its sandbox is read-only, so a worktree is of no use to it."],
  [{}, ["sandbox_mode=read-only"], "Your sandbox cannot write here, so there is no worktree."],
  [
    {},
    ["sandbox_mode=workspace-write", "sandbox_workspace_write.git=protected"],
    "Your sandbox cannot write the git folder, so there is no worktree.",
  ],
])("a worktree of no use, or beyond the parent's sandbox, is refused: %j %j", async (asked, own, reason) => {
  await using world = await openRepository({
    Ask: (_, step) => (step === 0 ? start({ message: "try", worktree: true, ...asked }) : say("End.")),
  });
  await using thread = await world.openThread({ config: [...config, ...own] });
  const { events } = await runToEnd(thread, "Ask");
  expect(callsIn(events)[0]?.reason).toBe(`It was not started. ${reason}`);
  expect(treesOf(world)).toEqual([]);
});

test("without a repository, the call says that there is none", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "try", worktree: true }) : say("End.")),
  });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  expect(callsIn(events)[0]?.reason).toBe(`It was not started. worktree: ${world.work} is not in a git repository.`);
});

test("a sub-agent in a worktree writes patches only there, and none when its parent is read-only by then", async () => {
  await using world = await openRepository({
    Ask: (_, step) => (step === 0 ? start({ message: "patch", worktree: true }) : say("End.")),
    patch(_, step) {
      if (step === 0) return patchOf("made");
      if (step === 1) return patchOf(join(world.work, "made"));
      if (step === 2) {
        thread.change({ sandboxMode: "read-only" });
        return patchOf("late");
      }
      return say("Done.");
    },
  });
  const link = join(world.home, "link"); // to the folder of all data
  symlinkSync(world.home, link);
  await using thread = await world.openThread({ config, permissions: confined, env: { XDG_DATA_HOME: link } });
  await runToEnd(thread, "Ask");
  const [tree = ""] = treesOf(world);
  expect(git(tree, "status", "--porcelain")).toBe(" A made\n");
  expect(git(world.work, "status", "--porcelain")).toBe("");
});

test("variables that lead git to another repository do not reach the commands of a sub-agent in a worktree", async () => {
  await using world = await openRepository({
    Ask: (_, step) => (step === 0 ? start({ message: "add", worktree: true }) : say("End.")),
    add: (_, step) => (step === 0 ? command("touch new; git add new; env | grep ^GIT_") : say("Done.")),
  });
  const other = join(world.home, "other");
  execFileSync("mkdir", [other]);
  writeFileSync(join(other, "c.txt"), "c\n");
  commitAll(other);
  const before = readAll(other);
  const env = { GIT_DIR: join(other, ".git"), GIT_INDEX_FILE: join(other, ".git/index"), GIT_AUTHOR_NAME: "Ada" };
  const set = [`shell_environment_policy.set.GIT_WORK_TREE=${other}`];
  await using thread = await world.openThread({ config: [...config, ...set], env });
  await runToEnd(thread, "Ask");
  const said = lastOutput(requestsOf(world, "add").at(-1));
  expect(said.match(/^GIT_.*$/gm)).toEqual(["GIT_AUTHOR_NAME=Ada"]);
  expect(readAll(other)).toEqual(before);
  expect(git(treesOf(world)[0] ?? "", "status", "--porcelain")).toBe("A  new\n");
});

/** Scripts of a sub-agent against its parent's folder, `$main`, and another worktree, `$other`. In files, which nobody is asked about. */
const attacks: readonly string[] = [
  'git -C "$main" commit -q --allow-empty -m x',
  'git -C "$main" checkout -q -b stolen',
  'git -C "$other" reset -q --hard HEAD~0; git -C "$other" clean -fdq',
  'git --git-dir="$main/.git" --work-tree="$main" rm -qf a.txt',
  'git --git-dir="$main/.git" --work-tree=. add -A',
  'GIT_DIR="$main/.git" git update-ref refs/heads/main "$(git commit-tree -m x HEAD^{tree})"',
  'GIT_DIR="$main/.git" git symbolic-ref HEAD refs/heads/nowhere',
  'GIT_INDEX_FILE="$main/.git/index" git add -A',
  'GIT_COMMON_DIR="$main/.git" GIT_DIR="$main/.git/worktrees/other-tree" git update-ref HEAD "$(git commit-tree -m x HEAD^{tree})"',
  'GIT_WORK_TREE="$main" git checkout -f HEAD -- .; GIT_WORK_TREE="$main" git clean -fdq',
  'GIT_OBJECT_DIRECTORY="$main/.git/objects" git hash-object -w a.txt',
  'git worktree remove --force "$other"',
  'git worktree prune --expire=now; git worktree move "$other" "$other-moved"; git worktree lock "$other"',
  'git worktree add -q "$main/../stolen"',
  "git branch -D other; git branch -f main HEAD; git tag -f stolen; git update-ref -d refs/heads/other",
  "git config core.fsmonitor 'touch stolen'; git config core.hooksPath .; git config alias.status '!touch stolen'",
  'git config --global alias.x "!true"; git config --file "$main/.git/config" core.editor x',
  'git config --worktree core.worktree "$main"; git config extensions.worktreeConfig true',
  'printf "#!/bin/sh\\n" > "$main/.git/hooks/post-checkout"; chmod +x "$main/.git/hooks/post-checkout"',
  "git gc -q --prune=now; git repack -qad; git pack-refs --all; git stash -u; git reflog expire --all --expire=now",
  'rm -rf "$main/.git/objects" "$main/.git/refs" "$other/.git" "$main/a.txt"',
  'ln -s "$main" way; echo x > way/a.txt; echo x > way/.git/HEAD; rm -rf way/sub',
  'echo "gitdir: $main/.git" > .git; rm -f .git; mv .git moved; git add -A',
  'cd .. && mv work moved; echo x > changes.patch; echo x > ../stolen; rm -rf "$OLDPWD/../../other-tree"',
  'git init -q nested; git -C nested config core.worktree "$main"; git -C nested checkout -q -f --orphan x; git -C nested clean -fdq',
  'git submodule add -q "$main" mod; git bisect start; git commit -qam mine; git notes add -m x',
  'git -c core.worktree="$main" checkout -qf HEAD -- .; git -c core.worktree="$main" clean -fdq; export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.worktree GIT_CONFIG_VALUE_0="$main"; git clean -fdq; git add -A',
  'printf "[core]\\n\\tworktree = %s\\n[alias]\\n\\tst = !touch %s/a.txt\\n" "$main" "$main" > settings; GIT_CONFIG_GLOBAL="$PWD/settings" git st; git -c include.path="$PWD/settings" st; GIT_CONFIG_SYSTEM="$PWD/settings" git clean -fdq',
  'GIT_CONFIG_PARAMETERS="\'core.hooksPath\'=\'$PWD\'" git commit -q --allow-empty -m x; git -c core.hooksPath="$PWD" -C "$main" commit -q --allow-empty -m x',
  'git init -q alt; echo "$main/.git/objects" > alt/.git/objects/info/alternates; git -C alt gc -q --prune=now; git -C alt prune; rm -rf alt; git stash -q',
  'git fetch -q . HEAD:stolen; git push -q . HEAD:refs/heads/stolen; git push -qf "$main" HEAD~0:refs/heads/main; git worktree repair "$main"; ln -s "$main/.git" alias.git; git --git-dir=alias.git gc -q; git --git-dir=alias.git update-ref -d HEAD; ln -sfn "$main" sub',
  'at=$(git rev-parse HEAD:module); plant module; echo "$main/.git/objects" > .git/objects/info/alternates; git update-ref HEAD "$at"',
  "plant full; cd ..; rm alias.git sub/work; echo mine > own.txt",
];

/** Each script begins with it. `plant` makes a repository whose settings run programs where another git looks into it. */
const scriptHead = `main=$1; other=$2
for name in AUTHOR COMMITTER; do export GIT_\${name}_NAME=a GIT_\${name}_EMAIL=a@b; done
plant() {
  git init -q "$1"; cd "$1"; printf '#!/bin/sh\\ntouch "%s/escaped"\\n' "$main" > run; chmod +x run; echo '* filter=run' > .gitattributes; git add .; git commit -qm x
  git config filter.run.clean "'$PWD/run'; cat"; git config core.fsmonitor "$PWD/run"; git config core.hooksPath "$PWD"; touch -d 2030-01-01 run
}`;

test.skipIf(!hasSandbox)(
  "no git of a sub-agent in a worktree changes anything outside of it, whatever its arguments and variables say",
  async () => {
    const found: ReadonlyMap<string, string>[] = [];
    const look = (): void => {
      const own = treesOf(world).find((tree) => tree.includes("/unroll/worktrees/")) ?? "";
      const root = realpathSync(join(world.work, ".."));
      const skipped = [relative(root, own), "home/.codex"];
      const all = [...readAll(root)].filter(
        ([name]) => !skipped.some((each) => name === each || name.startsWith(`${each}/`)),
      );
      found.push(new Map(all));
    };
    const play: Play = {
      Ask: (_, step) => (step === 0 ? start({ message: "attack", worktree: true }) : say("End.")),
      attack(_, step) {
        if (step === 0) return command("git status --short; git log --oneline; echo mine > own.txt");
        if (step === 1) look();
        if (step <= attacks.length)
          return command(`sh attacks/${step - 1} '${world.work}' '${join(world.home, "other-tree")}'`);
        look();
        return say("Done.");
      },
    };
    const files = attacks.map((text, index) => [`attacks/${index}`, `${scriptHead}\n${text}\n`] as const);
    await using world = await openRepository(play, Object.fromEntries(files));
    git(
      world.work,
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${git(world.work, "rev-parse", "HEAD").trim()},module`,
    );
    git(world.work, "commit", "-qm", "Second");
    git(world.work, "worktree", "add", "-q", "-b", "other", join(world.home, "other-tree"));
    writeFileSync(join(world.home, "other-tree/a.txt"), "theirs\n");
    await using thread = await world.openThread({ config, permissions: confined, store: openStore(world) });
    const { outcome } = await runToEnd(thread, "Ask");
    expect(outcome).toMatchObject({ finalMessage: "End." });
    const [first, ...later] = outputsOf(requestsOf(world, "attack").at(-1));
    expect(first).toMatch(/\w{7} Second/);
    expect(later).toHaveLength(attacks.length);
    expect(later.filter((output) => output.includes("was not run"))).toEqual([]);
    expect(found).toHaveLength(2);
    expect(found[1]).toEqual(found[0]);
    expect(lastOutput(world.model.requests.at(-1))).toMatch(
      /^files that it changed: own.txt[^]*the repositories in it: full, nested\./m,
    );
    // the harness's own git has looked at all that by now
    expect(existsSync(join(world.work, "escaped"))).toBe(false);
    const [tree = ""] = treesOf(world).filter((path) => path.includes("/unroll/worktrees/"));
    expect(git(tree, "ls-files", "--stage").match(/^160000.*\t(.*)$/gm)).toHaveLength(1);
  },
);

test.skipIf(!hasSandbox)(
  "in the parent's sandbox, the model takes a diff over by the command that the report names",
  async () => {
    await using world = await openRepository({
      Ask(request, step) {
        if (step === 0) return start({ message: "change", worktree: true });
        const [, apply = ""] = /To take it over: (git [^\n]*)/.exec(lastOutput(request)) ?? [];
        return step === 1 ? command(apply) : say("End.");
      },
      change: (_, step) => (step === 0 ? command("echo two > a.txt") : say("Changed.")),
    });
    await using thread = await world.openThread({ config, permissions: confined, store: openStore(world) });
    await runToEnd(thread, "Ask");
    expect(readFileSync(join(world.work, "a.txt"), "utf8")).toBe("two\n");
  },
);
