import { execFile } from "node:child_process";

/** What git said. `code` null: it could not be started, or was stopped. */
export interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** No hook of the repository is run, and none lies among the files of another. */
const safeSettings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"];
const safeArgs = safeSettings.flatMap((each) => ["-c", each]);
/** They would name another repository: whoever is called by a hook of git has them. Where its config is may be said. */
const placeVariables = /^GIT_(?!CONFIG)/;
const maxBytes = 16 * 1024 * 1024;

export function runGit(args: readonly string[], { cwd, env }: GitPlace): Promise<GitResult> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !placeVariables.test(name)));
  const options = { cwd, env: { ...own, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" }, maxBuffer: maxBytes };
  return new Promise((resolve) => {
    const child = execFile("git", [...safeArgs, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
