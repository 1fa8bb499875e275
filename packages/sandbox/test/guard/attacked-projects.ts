import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitIdentity, runOnHost } from "../fixture/run-on-host.ts";

const projects = {
  small: "git init -q -b main work && cd work && echo a > a && git add a && git commit -qm a",
  /** With a submodule and a linked worktree. */
  large: `
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q -b main library && cd library && echo l > l && git add l && git commit -qm l && cd ..
git init -q -b main work && cd work && echo a > a && git add a && git commit -qm a
git submodule --quiet add "$PWD/../library" library && git commit -qm submodule
git worktree add -q ../linked`,
};

export type Project = keyof typeof projects;

/** Repositories to be attacked, each made once: a test has a copy. */
export interface Templates extends Disposable {
  fill(): Promise<void>;
  /** Copies the project into `base`: its `work`, and what belongs to it. */
  copy(project: Project, base: string): void;
}

export function createTemplates(): Templates {
  let folder = "";
  return {
    async fill() {
      folder = realpathSync(mkdtempSync(join(tmpdir(), "unroll-attacked-")));
      for (const project of ["small", "large"] as const) {
        const cwd = join(folder, project);
        mkdirSync(cwd);
        await runOnHost(setUp(project), { cwd, env: { ...gitIdentity, HOME: cwd } });
      }
    },
    copy(project, base) {
      cpSync(join(folder, project), base, { recursive: true });
      if (project === "small") return;
      // a linked worktree and its repository name each other by absolute paths
      for (const file of ["linked/.git", "work/.git/worktrees/linked/gitdir"]) {
        const path = join(base, file);
        writeFileSync(path, readFileSync(path, "utf8").replace(join(folder, project), base));
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Without the housekeeping that each commit starts (two processes more, for nothing that is looked at here), and without samples. */
function setUp(project: Project): string {
  return `printf '[maintenance]\\nauto = false\\n' > .gitconfig
${projects[project]}
find "$HOME" -name '*.sample' -delete`;
}
