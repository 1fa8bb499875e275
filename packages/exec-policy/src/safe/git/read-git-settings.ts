import type { GitSettings } from "../../command/judge-context.ts";
import { gitEnvironment } from "./git-environment.ts";

/** A command that a caller runs to learn something; it runs nothing itself under `environment`. */
export interface GitProbe {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The git commands to run in a repository, in that order, to know its `GitSettings`. If one of them
 * fails, nothing is known.
 */
export const gitProbes: { readonly keys: GitProbe; readonly entries: GitProbe } = {
  keys: { argv: ["git", "config", "--list", "--show-scope", "--name-only", "-z"], environment: gitEnvironment },
  entries: { argv: ["git", "ls-files", "--stage", "-z"], environment: gitEnvironment },
};

/** Settings that name a program which git runs while it reads, and those of git-lfs, which a person's filter may obey. */
const namesProgram = /^(?:filter\..*|diff\.external|diff\..*\.(?:command|textconv)|hook\..*|lfs\..*)$/is;

/** Scopes that a person or an administrator wrote, or we; those of a repository are `local` and `worktree`. */
const trustedScopes: ReadonlySet<string> = new Set(["system", "global", "command"]);

/**
 * Reads the outputs of `gitProbes`. Pure; an output that is cut or in another form counts as the
 * worst case.
 */
export function readGitSettings(output: { readonly keys: string; readonly entries: string }): GitSettings {
  const fields = output.keys.split("\0");
  const isWhole = fields.length % 2 === 1 && fields.at(-1) === "";
  const runsPrograms = fields.some(
    (scope, index) => index % 2 === 0 && !trustedScopes.has(scope) && namesProgram.test(fields[index + 1] ?? ""),
  );
  const hasSubmodules = output.entries.split("\0").some((entry) => entry.startsWith("160000 "));
  return { runsPrograms: runsPrograms || !isWhole, hasSubmodules };
}
