import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { openPrograms, type ProgramPlaces } from "../program/open-programs.ts";
import { runProgram, spawnProgram } from "../program/spawn-program.ts";

/** Where git is run, and with what. */
export interface GitPlace extends ProgramPlaces {
  /** Ends it. Absent: it runs to its end. */
  readonly signal?: AbortSignal;
  /** The output is read as this; absent: UTF-8. `latin1` keeps each byte of a path. */
  readonly encoding?: "latin1";
}

/** The output of git. `code` null: it could not be started, or was stopped. */
export interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No hook or watcher of the repository is run, and none lies among the files of another. */
const safeSettings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"];
/** For one that only looks. A partial clone would fetch missing objects by a program that the repository names. */
const lookSettings = [
  "diff.submodule=short",
  "protocol.allow=never",
  ...["ext", "file", "git", "http", "https", "ssh"].map((name) => `protocol.${name}.allow=never`),
];
/**
 * Git sets these variables in its hooks. They could select another repository or foreign settings, so we remove them.
 * The variables for config locations stay.
 */
const placeVariables = /^GIT_(?!CONFIG_)/;
const maxBytes = 16 * 1024 * 1024;

/**
 * Runs git outside any sandbox, in the repository around a folder; the caller's own variables cannot select another
 * one. Programs that the repository's own settings name may run: see `findNamedPrograms`.
 */
export async function runGit(args: readonly string[], place: GitPlace): Promise<GitResult> {
  const { cwd, signal } = place;
  const { find, environment } = openPrograms(place);
  const git = find("git");
  if (git.type === "missing") return { code: null, stdout: "", stderr: git.message };
  const options = { cwd, env: toGitEnv(environment), maxBytes, ...(signal && { signal }) };
  const { code, stdout, stderr } = await runProgram(git.file, [...toArgs(safeSettings), ...args], options);
  return { code, stdout: stdout.toString(place.encoding), stderr: stderr.toString() };
}

/** The same for a git that only looks: nothing is fetched either. */
export function queryGit(args: readonly string[], place: GitPlace): Promise<GitResult> {
  return runGit([...toArgs(lookSettings), ...args], place);
}

/** A git that only looks, for an output that is read as it comes. Null: there is none. */
export function spawnGitQuery(
  args: readonly string[],
  place: GitPlace,
): ChildProcessByStdio<null, Readable, null> | null {
  const { cwd, signal } = place;
  const { find, environment } = openPrograms(place);
  const git = find("git");
  if (git.type === "missing") return null;
  return spawnProgram(git.file, [...toArgs([...safeSettings, ...lookSettings]), ...args], {
    cwd,
    env: toGitEnv(environment),
    ...(signal && { signal }),
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function toArgs(settings: readonly string[]): readonly string[] {
  return settings.flatMap((each) => ["-c", each]);
}

/** Its words are English, and it writes nothing on the way that others would wait for. */
function toGitEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !placeVariables.test(name)));
  return { ...own, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
}
