import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxFixture, type SandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";
import { createTemplates, type Project } from "./attacked-projects.ts";

interface Attack {
  readonly name: string;
  /** `small` unless given. */
  readonly project?: Project;
  /** Prepares the repository in the workspace. */
  readonly setup?: string;
  /** Commands that run in the sandbox, one after the other. */
  readonly attack: readonly string[];
  /** Commands of the user afterwards; default: everyday use of git in the workspace. */
  readonly victim?: string;
  /** So that the folders can be removed. */
  readonly tidy?: string;
}

/** `$EVIL` leaves a trace outside when anybody but a sandbox runs it. Nothing more is tried when it is there. */
const everyday = `try() { git "$@"; [ ! -e "$TRACE" ] || exit 0; }
for folder in . library sub bare; do
  [ -d $folder ] && cd $folder || continue
  try status; try diff; try log -p -1; echo u >> user.txt; try add user.txt; try commit -qm user; try stash list
  cd "$WORK"
done; true`;

const conflict = `
git branch other; echo 1 > c; git add c; git commit -qm 1; echo d > d; git add d; git commit -qm d
git switch -q other; echo 2 > c; git add c; git commit -qm 2; echo e > e; git add e; git commit -qm e`;

const attacks: readonly Attack[] = [
  {
    name: "a variable added to the configuration",
    attack: ["git config core.fsmonitor $EVIL", 'printf "[core]\\nfsmonitor = $EVIL\\n" >> .git/config'],
  },
  {
    name: "another configuration moved into place",
    attack: ["cp .git/config c; git config -f c core.fsmonitor $EVIL; mv c .git/config"],
  },
  {
    name: "another repository moved into place",
    attack: ["cp -r .git g; git config -f g/config core.fsmonitor $EVIL; mv .git away; mv g .git"],
  },
  {
    name: "a hook",
    attack: [
      "cp $EVIL .git/hooks/post-commit",
      "mv .git/hooks .git/h; mkdir .git/hooks; cp $EVIL .git/hooks/post-commit",
    ],
  },
  {
    name: "a hook where there was no folder for it",
    setup: "rm -r .git/hooks",
    attack: ["mkdir .git/hooks; cp $EVIL .git/hooks/post-commit"],
  },
  closed(
    "a repository in a folder that is closed until the user opens it",
    "mkdir -p lib/a; git init -q lib/a/sub; git -C lib/a/sub config core.fsmonitor $EVIL; chmod 000 lib/a lib",
    "git -C lib/a/sub status",
  ),
  closed(
    "a repository that is closed itself",
    "git init -q sub; git -C sub config core.fsmonitor $EVIL; chmod 000 sub/.git/refs sub/.git",
    "git -C sub status",
  ),
  closed(
    "a submodule's git folder in a closed one",
    "git init -q sub; git init -q i; mkdir sub/.git/modules; mv i/.git sub/.git/modules/i; git config -f sub/.git/modules/i/config core.fsmonitor $EVIL; chmod 000 sub/.git/modules",
    "git --git-dir sub/.git/modules/i --work-tree sub status",
  ),
  {
    ...closed(
      "a closed pointer to a repository",
      'mkdir sub; echo "gitdir: $(cd ..; pwd)/elsewhere/.git" > sub/.git; chmod 000 sub/.git',
      "git -C sub status",
    ),
    setup: 'git init -q ../elsewhere; git -C ../elsewhere config core.fsmonitor "$PWD/evil.sh"',
  },
  {
    name: "another common folder",
    attack: ["cp -r .git g; git config -f g/config core.fsmonitor $EVIL; echo ../g > .git/commondir"],
  },
  {
    name: "a configuration of the worktree",
    setup: "git config extensions.worktreeConfig true",
    attack: ["git config -f .git/config.worktree core.fsmonitor $EVIL"],
  },
  {
    name: "a configuration of the worktree, for when it will count",
    attack: ["git config -f .git/config.worktree core.fsmonitor $EVIL"],
    victim: "git config extensions.worktreeConfig true; git status",
  },
  {
    name: "a file that the configuration includes",
    setup: "echo > .gitconfig; git config include.path ../.gitconfig",
    attack: ["git config -f .gitconfig core.fsmonitor $EVIL"],
  },
  {
    name: "a missing file that the configuration includes",
    setup: "git config include.path ../.gitconfig",
    attack: ["git config -f .gitconfig core.fsmonitor $EVIL"],
  },
  {
    name: "a hook in a folder of the workspace that the configuration names",
    setup: "mkdir -p tools/hooks; git config core.hooksPath tools/hooks",
    attack: ["cp $EVIL tools/hooks/post-commit", "mv tools t; mkdir -p tools/hooks; cp $EVIL tools/hooks/post-commit"],
  },
  {
    name: "repositories within the repository's own folder",
    attack: [
      "for d in .git/x .git/objects/ab/c .git/logs/d; do mkdir -p $d; git -C $d init -q; git -C $d config core.fsmonitor $EVIL; done",
    ],
    victim: 'find . -name .git | while read -r path; do (cd "$(dirname "$path")" && git status); done; true',
  },
  {
    name: "the configuration of a submodule",
    project: "large",
    attack: [
      "git config -f .git/modules/library/config core.fsmonitor $EVIL",
      "mv .git/modules m; cp -r m .git/modules; git config -f .git/modules/library/config core.fsmonitor $EVIL",
    ],
  },
  {
    name: "a submodule that is another repository",
    project: "large",
    attack: [
      "cp -r .git/modules/library g; git config -f g/config core.fsmonitor $EVIL; rm library/.git; mv g library/.git",
    ],
  },
  {
    name: "a submodule that was moved away for another",
    project: "large",
    attack: [
      "cp -r library l; rm l/.git; cp -r .git/modules/library l/.git; git config -f l/.git/config core.fsmonitor $EVIL; mv library old; mv l library",
    ],
  },
  { name: "a new repository", attack: ["git init -q sub; git -C sub config core.fsmonitor $EVIL"] },
  { name: "a new repository with a hook", attack: ["git init -q sub; cp $EVIL sub/.git/hooks/post-commit"] },
  {
    name: "a new repository that the index knows",
    attack: [
      "git init -q sub; git -C sub commit -q --allow-empty -m x; git add sub; git -C sub config core.fsmonitor $EVIL",
    ],
    victim: "git status; git diff",
  },
  {
    name: "a new repository that was made elsewhere and moved in",
    attack: ["git init -q x; git -C x config core.fsmonitor $EVIL; mv x/.git x/g; mkdir sub", "mv x/g sub/.git"],
  },
  {
    name: "a new repository beside its work tree",
    attack: ["mkdir -p deep/er; git init -q --separate-git-dir deep/er/g sub; git -C sub config core.fsmonitor $EVIL"],
  },
  {
    name: "a new repository inside .git",
    attack: ["git init -q --separate-git-dir .git/refs/g sub; git -C sub config core.fsmonitor $EVIL"],
  },
  {
    name: "a new repository behind a symlink",
    attack: ["git init -q x; git -C x config core.fsmonitor $EVIL; mkdir sub; ln -s ../x/.git sub/.git"],
  },
  {
    name: "a bare repository",
    attack: [
      "git init -q --bare bare; cd bare; git config core.bare false; git config core.worktree .; git config core.fsmonitor $EVIL",
    ],
  },
  {
    name: "a bare repository with its parts elsewhere",
    attack: [
      "git init -q --bare b; mkdir bare; mv b/HEAD bare; echo ../b > bare/commondir; cd b; git config core.bare false; git config core.worktree .; git config core.fsmonitor $EVIL; echo 'ref: refs/heads/main' > HEAD",
    ],
  },
  {
    name: "the workspace itself as a bare repository",
    attack: [
      "cp .git/HEAD .; mkdir objects refs; rm .git/HEAD; git config -f config core.repositoryformatversion 0; git config -f config core.worktree .; git config -f config core.fsmonitor $EVIL",
    ],
  },
  {
    name: "a configuration with another spelling",
    attack: ['git init -q sub; printf "\\xef\\xbb\\xbf[CORE]fsMonitor=\\"%s\\"\\n" "$EVIL" > sub/.git/config'],
  },
  {
    name: "a linked worktree with its own configuration",
    attack: [
      "git init -q sub; mkdir -p sub/.git/worktrees/w; cd sub/.git/worktrees/w; echo ../.. > commondir; echo ref: refs/heads/x > HEAD; git config -f ../../config core.fsmonitor $EVIL; mkdir $WORK/bare; echo gitdir: $PWD > $WORK/bare/.git",
    ],
  },
  {
    name: "a new repository in a folder whose name is not UTF-8",
    attack: ["mkdir sub; cd sub; mkdir $'é\\xff'; cd $'é\\xff'; git init -q; git config core.fsmonitor $EVIL"],
    victim: "cd sub/*; git status",
  },
  {
    name: "a new repository beside a work tree whose name is not UTF-8",
    attack: ["mkdir deep; git init -q --separate-git-dir $'deep/\\xff' sub; git -C sub config core.fsmonitor $EVIL"],
  },
  {
    name: "a new repository in a folder that cannot be listed",
    attack: ["git init -q sub/in; git -C sub/in config core.fsmonitor $EVIL; chmod 311 sub sub/in sub/in/.git"],
    victim: "(cd sub/in; git status); chmod -R u+rwx sub",
  },
  {
    name: "a hook in a folder that can be neither listed nor written",
    attack: ["git init -q sub; cp $EVIL sub/.git/hooks/post-commit; chmod 111 sub/.git/hooks"],
    tidy: "chmod -R u+rwx sub",
  },
  {
    name: "a pointer that ends in what is no blank to git",
    attack: ["git init -q --separate-git-dir .git/refs/$'g\\u2028' sub; git -C sub config core.fsmonitor $EVIL"],
  },
  {
    name: "a pointer with a carriage return in it",
    attack: [
      "mkdir .git/refs/$'x\\r'; git init -q --separate-git-dir .git/refs/$'x\\r/g' sub; git -C sub config core.fsmonitor $EVIL",
    ],
  },
  {
    name: "a common folder that ends in a blank",
    attack: [
      "git init -q sub; cd sub/.git; mkdir -p worktrees/w ' '; cp -r objects refs config ' '; git config -f ' /config' core.fsmonitor $EVIL; cp HEAD worktrees/w; printf '../../ ' > worktrees/w/commondir; mkdir $WORK/bare; echo gitdir: ../sub/.git/worktrees/w > $WORK/bare/.git",
    ],
  },
  {
    name: "a common folder by way of a link",
    attack: [
      "git init -q sub; mkdir -p sub/.git/worktrees/w k/d k/sub/.git; ln -s k/d l; cd sub/.git; cp -r objects refs config ../../k/sub/.git; git config -f ../../k/sub/.git/config core.fsmonitor $EVIL; cp HEAD worktrees/w; echo ../../../../l/../sub/.git > worktrees/w/commondir; mkdir $WORK/bare; echo gitdir: ../sub/.git/worktrees/w > $WORK/bare/.git",
    ],
  },
  {
    name: "a link to a file that names a repository",
    attack: [
      "mkdir deep sub; git init -q --separate-git-dir .git/refs/g x; git -C x config core.fsmonitor $EVIL; echo gitdir: ../.git/refs/g > deep/p; rm x/.git; ln -s ../deep/p sub/.git",
    ],
  },
  {
    name: "a name in the configuration that ends before its end",
    attack: [
      `git init -q sub; printf '[remote "o.uploadpack\\0"]\\nfetch = %s\\n[remote "o"]\\nurl = .\\n' "$EVIL" >> sub/.git/config`,
    ],
    victim: "git -C sub fetch o",
  },
  {
    name: "a file that an included file includes",
    setup: "printf '[include]\\npath = more\\n' > .gitconfig; git config include.path ../.gitconfig",
    attack: ["git config -f more core.fsmonitor $EVIL"],
  },
  {
    name: "a file that the user's own configuration includes",
    setup: 'git config --global "includeIf.gitdir:$PWD/.path" "$PWD/team.gitconfig"',
    attack: ["git config -f team.gitconfig core.fsmonitor $EVIL"],
  },
  {
    name: "a hook in a missing folder that the configuration names",
    setup: "git config core.hooksPath tools/git/hooks",
    attack: ["mkdir -p tools/git/hooks; cp $EVIL tools/git/hooks/post-commit"],
  },
  {
    name: "a rebase that runs commands",
    setup:
      "git branch other; echo 1 > c; git add c; git commit -qm 1; git switch -q other; echo 2 > c; git add c; git commit -qm 2",
    attack: ["git rebase -q main; echo x $EVIL >> .git/rebase-merge/git-rebase-todo"],
    victim: "echo 3 > c; git add c; GIT_EDITOR=true git rebase --continue",
  },
  {
    name: "a rebase that merges by a program",
    setup: conflict,
    attack: ["git rebase -q main; mkdir git-merge-x; cp $EVIL git-merge-x/y; echo x/y > .git/rebase-merge/strategy"],
    victim: "echo 3 > c; git add c; GIT_EDITOR=true git rebase --continue",
  },
  {
    name: "a cherry-pick that merges by a program",
    setup: conflict,
    attack: [
      "git cherry-pick main~1 main; mkdir git-merge-x; cp $EVIL git-merge-x/y; git config -f .git/sequencer/opts options.strategy x/y",
    ],
    victim: "echo 3 > c; git add c; GIT_EDITOR=true git cherry-pick --continue",
  },
  {
    name: "a remote in a file of its own",
    setup: "git config protocol.ext.allow always; rm -rf .git/branches",
    attack: ['mkdir -p .git/remotes; echo "URL: ext::$EVIL" > .git/remotes/r'],
    victim: "git fetch r",
  },
  {
    name: "a remote in a file of the oldest kind",
    setup: "git config protocol.ext.allow always; mkdir -p .git/branches",
    attack: ['echo "ext::$EVIL" > .git/branches/r'],
    victim: "git fetch r",
  },
];

const templates = createTemplates();
beforeAll(() => templates.fill());
afterAll(() => templates[Symbol.dispose]());

/** Folders that are closed to this user while the guard looks, and opened by him later. */
function closed(name: string, attack: string, victim: string): Attack {
  return { name, attack: [attack], victim: `chmod -R u+rwX .; ${victim}`, tidy: "chmod -R u+rwX ." };
}

interface AttackWorld extends AsyncDisposable {
  readonly sandbox: SandboxFixture;
  /** There when somebody has run `$EVIL`. */
  readonly trace: string;
  /**
   * Scripts that know `$EVIL`, `$TRACE` and `$WORK`, one after the other; each continues after a
   * failing line.
   */
  readonly host: (...scripts: readonly (string | undefined)[]) => Promise<string>;
  readonly run: (script: string) => Promise<unknown>;
}

async function openAttackWorld({ project = "small", setup }: Attack): Promise<AttackWorld> {
  const sandbox = await createSandboxFixture({
    prepare: (base) => templates.copy(project, base),
    ...(setup !== undefined && { setup: `cd work\n${setup}` }),
  });
  const evil = join(sandbox.workspace, "evil.sh");
  const trace = join(sandbox.outside, "trace");
  const prologue = `export EVIL='${evil}' TRACE='${trace}' WORK='${sandbox.workspace}'`;
  writeFileSync(evil, `#!/bin/sh\n: > ${trace}\n`, { mode: 0o755 });
  return {
    sandbox,
    trace,
    host: (...scripts) =>
      sandbox.host(`${prologue}\nset +e\n${scripts.map((script = "true") => `(${script}\n)`).join("\n")}\ntrue`),
    run: (script) => sandbox.run(`${prologue}\n${script}`),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

describe.skipIf(whyNoSandbox !== null).concurrent("a later git outside runs nothing because of", () => {
  it.each(attacks)("$name", async (attack) => {
    await using world = await openAttackWorld(attack);
    for (const script of attack.attack) await world.run(script);
    await world.host(attack.victim ?? everyday, attack.tidy);
    expect(existsSync(world.trace)).toBe(false);
  });

  it.each(attacks)("$name, though it would without the sandbox", async (attack) => {
    await using world = await openAttackWorld(attack);
    await world.host(...attack.attack, 'rm -f "$TRACE"', attack.victim ?? everyday, attack.tidy);
    expect(existsSync(world.trace)).toBe(true);
  });
});

describe.skipIf(whyNoSandbox !== null).concurrent("a later git outside writes no file of the user's through", () => {
  it.each([
    ["the log of HEAD", "ln -sf $OUT .git/logs/HEAD"],
    ["the commit message", "ln -sf $OUT .git/COMMIT_EDITMSG"],
    ["a folder of logs", "mv .git/logs/refs .git/logs/r; mkdir -p ../work/x; ln -s $OUTSIDE .git/logs/refs"],
    ["another work tree", "git init -q sub; git -C sub config core.worktree $OUTSIDE"],
  ])("%s", async (_, attack) => {
    await using sandbox = await createSandboxFixture({ prepare: (base) => templates.copy("large", base) });
    const prologue = `export OUT='${sandbox.outside}/file' OUTSIDE='${sandbox.outside}' WORK='${sandbox.workspace}'`;
    await sandbox.host(`echo mine > ${sandbox.outside}/file`);
    await sandbox.run(`${prologue}\n${attack}`);
    await sandbox.host(`${prologue}\nset +e\n${everyday}\ngit -C sub checkout -f\ntrue`);
    expect(await sandbox.host(`cd ${sandbox.outside}; grep -r . .`)).toBe("./file:mine\n");
  });
});

describe.skipIf(whyNoSandbox !== null).concurrent("of the things that a command put into a repository", () => {
  it("dangerous parts are removed and reported, the rest stays", async () => {
    await using sandbox = await createSandboxFixture();
    const { outcome } = await sandbox.run(
      "git init -q sub; cd sub; git config user.name me; git config alias.st '!evil'; git config core.pager evil",
    );
    const config = join(sandbox.workspace, "sub/.git/config");
    expect(outcome).toMatchObject({
      type: "exited",
      exitCode: 0,
      output: {
        text: `unroll: ${config} was put aside as ${config}.quarantined: a later git outside the sandbox would obey core.pager and obey alias.st.\n`,
      },
    });
    expect(
      await sandbox.host("git -C sub config user.name; git -C sub config -l | grep -c -e alias -e pager || true"),
    ).toBe("me\n0\n");
    expect(await sandbox.host("git config -f sub/.git/config.quarantined alias.st")).toBe("!evil\n");
  });

  it("what the user had made dangerous before stays", async () => {
    await using sandbox = await createSandboxFixture({
      setup:
        "git init -q work/sub; git -C work/sub config alias.mine '!mine'; cp /bin/true work/sub/.git/hooks/post-commit",
    });
    await sandbox.run("git -C sub config alias.evil '!evil'; git -C sub commit -q --allow-empty -m x");
    await sandbox.host("git -C sub config alias.later '!later'");
    await sandbox.run("git -C sub config user.name me");
    expect(
      await sandbox.host("git -C sub config -l --local | grep -e alias -e user; ls sub/.git/hooks | grep -v sample"),
    ).toBe("alias.mine=!mine\nalias.later=!later\nuser.name=me\npost-commit\n");
  });

  it("objects from outside are not taken into the repository", async () => {
    await using sandbox = await createSandboxFixture({ prepare: (base) => templates.copy("large", base) });
    await sandbox.run(
      "echo /elsewhere/objects > .git/objects/info/alternates; echo '* filter=evil' > .git/info/attributes",
    );
    expect(await sandbox.host("ls .git/objects/info .git/info")).toBe(
      ".git/info:\nexclude\n\n.git/objects/info:\nalternates.quarantined\n",
    );
  });

  it("what would hold the guard up or choke it goes as well", async () => {
    await using sandbox = await createSandboxFixture();
    await sandbox.run(
      "for name in a b; do git init -q $name; rm $name/.git/config; done; mkfifo a/.git/config; truncate -s 3G b/.git/config",
    );
    expect(await sandbox.host("ls a/.git b/.git | grep config")).toBe("config.quarantined\nconfig.quarantined\n");
  });

  it("nothing is left of a lock or a placeholder", async () => {
    await using sandbox = await createSandboxFixture({
      prepare: (base) => templates.copy("large", base),
      setup: "git -C work pack-refs",
    });
    const before = await sandbox.host("find . -not -path '*/logs/*' | sort");
    await sandbox.run("git config a.b c; git switch -q -c x; git switch -q main; git branch -D x");
    await sandbox.runner[Symbol.asyncDispose]();
    expect(await sandbox.host("find . -not -path '*/logs/*' | sort")).toBe(before);
  });
});
