import { execFile } from "node:child_process";

export type WorkTreeDiff =
  | { readonly type: "read"; readonly text: string }
  /** In a sentence. */
  | { readonly type: "failed"; readonly message: string };

const maxBytes = 16 * 1024 * 1024;
/** Each costs a process. */
const maxNewFiles = 200;
/** No program that the repository names is run. */
const safeArgs = ["-c", "core.fsmonitor=false", "-c", "core.quotepath=false"];
/** Whatever the person's own git writes in front of names. */
const diffArgs = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];

/** What differs from the last commit in the work tree around a folder, new files that git does not ignore with it. */
export async function readWorkTreeDiff(cwd: string, signal: AbortSignal): Promise<WorkTreeDiff> {
  const git = (args: readonly string[]): Promise<GitResult> => runGit([...safeArgs, ...args], cwd, signal);
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.code !== 0)
    return { type: "failed", message: top.code === null ? "git cannot be run." : `${cwd} is in no git work tree.` };
  const hasCommit = (await git(["rev-parse", "--verify", "-q", "HEAD"])).code === 0;
  const changed = await git([...diffArgs, ...(hasCommit ? ["HEAD"] : ["--cached"])]);
  const added = await git(["ls-files", "-z", "--others", "--exclude-standard"]);
  const paths = added.stdout.split("\0").filter((path) => path !== "");
  const texts = [changed.stdout];
  for (const path of paths.slice(0, maxNewFiles))
    texts.push((await git([...diffArgs, "--no-index", "--", "/dev/null", path])).stdout);
  if (paths.length > maxNewFiles) texts.push(`(${paths.length - maxNewFiles} more new files)\n`);
  return { type: "read", text: texts.join("") };
}

interface GitResult {
  /** Null: it could not be started, or was stopped. */
  readonly code: number | null;
  readonly stdout: string;
}

function runGit(args: readonly string[], cwd: string, signal: AbortSignal): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = execFile("git", [...args], { cwd, signal, maxBuffer: maxBytes }, (_error, stdout) =>
      resolve({ code: child.exitCode, stdout }),
    );
  });
}
