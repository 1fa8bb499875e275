import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** Where git is run, and with what. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it. Absent: it runs to its end. */
  readonly signal?: AbortSignal;
}

/** What git said. `code` null: it could not be started, or was stopped. */
export interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No hook or watcher of the repository is run, and none lies among the files of another. */
const safeSettings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"];
/** For one that only looks. What a partial clone lacks would be fetched by whatever program the repository names. */
const lookSettings = [
  "diff.submodule=short",
  "protocol.allow=never",
  ...["ext", "file", "git", "http", "https", "ssh"].map((name) => `protocol.${name}.allow=never`),
];
/** They would name another repository, or settings that are not its own: whoever is called by a hook of git has them. Where else its config is may be said. */
const placeVariables = /^GIT_(?!CONFIG_)/;
const maxBytes = 16 * 1024 * 1024;

/**
 * Runs git outside of any sandbox, in the repository around a folder, whatever the variables of whoever called us name. Programs
 * that the repository's own settings name may run: see `findNamedPrograms`.
 */
export function runGit(args: readonly string[], { cwd, env, signal }: GitPlace): Promise<GitResult> {
  const options = { cwd, env: toGitEnv(env), maxBuffer: maxBytes, ...(signal && { signal }) };
  return new Promise((resolve) => {
    const child = execFile("git", [...toArgs(safeSettings), ...args], options, (_error, stdout, stderr) => {
      const code = child.exitCode;
      resolve({ code: code !== null && code < 0 ? null : code, stdout, stderr }); // below zero Node.js has its own errors
    });
  });
}

/** The same for a git that only looks: nothing is fetched either. */
export function queryGit(args: readonly string[], place: GitPlace): Promise<GitResult> {
  return runGit([...toArgs(lookSettings), ...args], place);
}

/** A git that only looks, for an output that is read as it comes. */
export function spawnLook(
  args: readonly string[],
  { cwd, env, signal }: GitPlace,
): ChildProcessByStdio<null, Readable, null> {
  const options = { cwd, env: toGitEnv(env), ...(signal && { signal }) };
  return spawn("git", [...toArgs([...safeSettings, ...lookSettings]), ...args], {
    ...options,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function toArgs(settings: readonly string[]): readonly string[] {
  return settings.flatMap((each) => ["-c", each]);
}

/** Its words are English, and it writes nothing on the way that others would wait for. */
function toGitEnv(env: GitPlace["env"]): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !placeVariables.test(name)));
  return { ...own, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
}
