import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  gitProbes,
  type GitSettings,
  judgeCommand,
  mergeRules,
  readGitSettings,
  type Verdict,
} from "@unroll/exec-policy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHostileRepository, type HostileRepository } from "./hostile-repository.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

const subcommands = (
  "blame,cat-file,check-ignore,count-objects,describe,diff,diff-index,diff-tree,for-each-ref,grep,log,ls-files,ls-tree," +
  "merge-base,name-rev,rev-list,rev-parse,shortlog,show,show-ref,status,version,branch,config --get,config --list," +
  "reflog,reflog show,remote,stash list,stash show,tag,tag --list,worktree list"
).split(",");

const words =
  "HEAD gone a.txt -- gone:gone.txt v1 main..gone HEAD~1 --stat --cached --name-only -p -s -c --raw --numstat " +
  "--no-textconv --no-ext-diff --textconv --ext-diff --format=%G? --pretty=evil --show-signature " +
  "--format=%(signature) -S -L1,2:a.txt --follow --all --oneline -1 --submodule=diff --dirty --always -vv -r -l " +
  "--word-diff --check -U3 --dirstat=lines --summary --porcelain --short --ignore-submodules=none -e -m --no-index " +
  "--contains --exit-code main...gone";

/** Commands that a person or a model types, and a sample of all possible ones. */
const forms: readonly (readonly string[])[] = [
  ...[
    "git log",
    "git log --oneline -3",
    "git log -p",
    "git log -p --no-textconv --no-ext-diff",
    "git log --format=%G? gone",
    "git show HEAD",
    "git show --stat HEAD",
    "git show gone:gone.txt",
    "git show --decorate-refs --stat HEAD^",
    "git log -p --decorate-refs --no-textconv --no-ext-diff",
    "git log -m -p",
    "git log -m -p --no-ext-diff --no-textconv",
    "git describe --always --match -- --dirty",
    "git cat-file -p gone:gone.txt",
    "git status --short",
    "git diff",
    "git diff --cached --stat",
    "git blame a.txt",
    "git grep one gone",
    "git ls-files -m",
    "git describe --always --dirty",
    "git stash list",
    "git stash show -p",
    "git branch -vv",
    "git -C vendor/data log",
  ].map((form) => form.split(" ")),
  ["bash", "-c", "git log | head -3; git rev-parse HEAD"],
  ["bash", "-c", "cd vendor/data && git log"],
  ...fc
    .sample(
      fc.tuple(fc.constantFrom(...subcommands), fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 3 })),
      { numRuns: 100, seed: 20_260_103 },
    )
    .map(([subcommand, rest]) => ["git", ...subcommand.split(" "), ...rest]),
];

function judge(argv: readonly string[], cwd: string, git: GitSettings | null): Verdict {
  return judgeCommand({ argv }, mergeRules([]), { cwd, home: null, git });
}

function probe(repository: HostileRepository): GitSettings {
  const { keys, entries } = gitProbes;
  const runs = [keys, entries].map(({ argv, environment }) => repository.run(argv, repository.folder, environment));
  expect(runs.map(({ status, ran }) => ({ status, ran }))).toEqual([
    { status: 0, ran: [] },
    { status: 0, ran: [] },
  ]);
  return readGitSettings({ keys: runs[0]?.output ?? "", entries: runs[1]?.output ?? "" });
}

describe.skipIf(!hasGit).each([
  ["drivers", { runsPrograms: true, hasSubmodules: true }, 40],
  ["settings", { runsPrograms: false, hasSubmodules: false }, 60],
] as const)("in a repository with hostile %s", (hostility, expected, count) => {
  test("git runs nothing of it under what only reads", () => {
    using repository = createHostileRepository(hostility);
    const git = probe(repository);
    expect(git).toEqual(expected);
    expect(repository.run(["git", "log"], repository.folder, {}).ran).toEqual(["gpg.openpgp.program-work-git"]);
    expect(repository.run(["git", "status"], repository.folder, {}).ran).toContain("core.fsmonitor-work-git");
    const safe = forms
      .map((argv) => ({ argv, verdict: judge(argv, repository.folder, git) }))
      .filter(({ verdict }) => verdict.source.type === "read.recognised");
    expect(safe.length).toBeGreaterThan(count);
    const ran = safe.flatMap(({ argv, verdict }) => {
      const run = repository.run(argv, repository.folder, verdict.environment);
      return run.ran.length === 0 ? [] : [{ argv, ran: run.ran }];
    });
    expect(ran).toEqual([]);
  });
});

test.skipIf(!hasGit)("the files of a bare repository among others run nothing", () => {
  using repository = createHostileRepository("drivers");
  const argv = ["git", "log", "--stat"];
  const { environment } = judge(argv, repository.embedded, null);
  expect(repository.run(argv, repository.embedded, {}).ran).toEqual(["gpg.openpgp.program-work-vendor-data"]);
  expect(repository.run(argv, repository.embedded, environment)).toEqual({ status: 128, output: "", ran: [] });
});

test.skipIf(!hasGit || !existsSync("/usr/bin/script"))("no pager runs at a terminal", () => {
  using repository = createHostileRepository("settings");
  const line = ["/usr/bin/script", "-qec", "git log --oneline", "/dev/null"];
  const { environment } = judge(["git", "log", "--oneline"], repository.folder, null);
  expect(repository.run(line, repository.folder, { TERM: "xterm" }).ran).toContain("pager.log-work-git");
  expect(repository.run(line, repository.folder, { TERM: "xterm", ...environment }).ran).toEqual([]);
});

test.skipIf(!hasGit)("a setting counts in whatever file of the repository it stands", () => {
  using repository = createHostileRepository("settings");
  const git = (...argv: readonly string[]): unknown => repository.run(["git", ...argv], repository.folder, {});
  git("config", "extensions.worktreeConfig", "true");
  git("config", "--worktree", "filter.late.clean", "x");
  expect(probe(repository).runsPrograms).toBe(true);
  git("config", "--worktree", "--unset", "filter.late.clean");
  expect(probe(repository).runsPrograms).toBe(false);
  writeFileSync(join(repository.folder, "included"), '[diff "late"]\n\ttextconv = x\n');
  git("config", "include.path", "../included");
  expect(probe(repository).runsPrograms).toBe(true);
});

test.each([
  ["local\0filter.x.clean", "", { runsPrograms: true, hasSubmodules: false }],
  ["local", "", { runsPrograms: true, hasSubmodules: false }],
  ["global\0filter.lfs.clean\0local\0core.bare\0", "100644 a 0\tb\0", { runsPrograms: false, hasSubmodules: false }],
  ["global\0filter.lfs.clean\0local\0lfs.extension.x.clean\0", "", { runsPrograms: true, hasSubmodules: false }],
  ["", "100644 a 0\tb\x00160000 c 0\td\0", { runsPrograms: false, hasSubmodules: true }],
])("settings %j and entries %j say %j", (keys, entries, settings) => {
  expect(readGitSettings({ keys, entries })).toEqual(settings);
});
