import { explainNoRepository } from "./explain-no-repository.ts";
import { findNamedPrograms, gitConfigArguments } from "./find-named-programs.ts";
import { type GitPlace, type GitResult, queryGit } from "./run-git.ts";

/** The diff of a work tree, as git writes it, or why there is none. */
export type WorkTreeDiff =
  | { readonly type: "read"; readonly text: string }
  /** In a sentence. */
  | { readonly type: "failed"; readonly message: string };

/** Each costs a process. */
const maxNewFiles = 200;
/** In a submodule another repository would say what runs. */
const plainDiff = ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
/** Overrides the prefixes that the user's own git is configured to write. */
const diffArgs = [...plainDiff, "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];

/** The differences between the work tree around a folder and the last commit, including new files that git does not ignore. */
export async function readWorkTreeDiff(place: GitPlace): Promise<WorkTreeDiff> {
  const git = (args: readonly string[], cwd = place.cwd): Promise<GitResult> =>
    queryGit(["-c", "core.quotepath=false", ...args], { ...place, cwd });
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.code !== 0)
    return {
      type: "failed",
      message:
        top.code === null
          ? `cannot run git: ${top.stderr || "it does not start."}`
          : explainNoRepository(top, place.cwd),
    };
  const named = findNamedPrograms((await git(gitConfigArguments)).stdout);
  if (named?.length !== 0) return { type: "failed", message: explainNamed(named) };
  const hasCommit = (await git(["rev-parse", "--verify", "-q", "HEAD"])).code === 0;
  const changed = await git([...diffArgs, hasCommit ? "HEAD" : "--cached"]);
  const root = top.stdout.replace(/\n$/, "");
  const added = await git(["ls-files", "-z", "--others", "--exclude-standard"], root);
  const paths = added.stdout.split("\0").filter((path) => path !== "");
  const texts = [changed.stdout];
  for (const path of paths.slice(0, maxNewFiles)) {
    const { stdout } = await git([...diffArgs, "--no-index", "--", "/dev/null", path], root);
    // a repository of its own, a file that cannot be read, or a name that is not UTF-8, which no argument of ours can be
    texts.push(stdout || `(new, but git cannot show it: ${path})\n`);
  }
  if (paths.length > maxNewFiles) texts.push(`(${paths.length - maxNewFiles} more new files)\n`);
  return { type: "read", text: texts.join("") };
}

function explainNamed(named: readonly string[] | null): string {
  if (named === null)
    return "This git is older than 2.26 and cannot list the programs that it would run here: run git diff yourself.";
  return `The repository's own settings make git run programs (${named.join(", ")}), which unroll does not start without your approval: run git diff yourself.`;
}
