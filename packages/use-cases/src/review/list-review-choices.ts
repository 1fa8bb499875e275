import { type GitPlace, queryGit } from "@unroll/process-tree";

/** A branch or a commit that may be reviewed. */
export interface ReviewChoice {
  /** As git takes it, of letters that no shell reads. */
  readonly name: string;
  /**
   * A commit's first line, or nothing; then how long ago. The author wrote it, so escape hidden characters when you
   * show it.
   */
  readonly description: string;
}

const maxChoices = 100;

/** The branches that a review may be against, those of remotes too, used last first; empty: there are none, or no git. */
export async function listReviewBranches(place: GitPlace): Promise<readonly ReviewChoice[]> {
  const format = "--format=%(HEAD)%00%(symref)%00%(refname:short)%00%(committerdate:relative)";
  const args = ["for-each-ref", "--sort=-committerdate", `--count=${maxChoices}`, format, "refs/heads", "refs/remotes"];
  const lines = await readLines(args, place);
  return lines.flatMap((line) => {
    const [head, symbolic, name = "", when = ""] = line.split("\0");
    return head === "*" || symbolic !== "" || !isPlain(name) ? [] : [{ name, description: when }];
  });
}

/** The last commits of the branch that is checked out, newest first; empty: there are none, or no git. */
export async function listReviewCommits(place: GitPlace): Promise<readonly ReviewChoice[]> {
  // not git log, which runs the repository's own program for signatures where its settings say so
  const args = ["rev-list", `--max-count=${maxChoices}`, "--format=%h%x00%s, %cr", "HEAD"];
  const lines = await readLines(args, place);
  return lines.flatMap((line) => {
    const [name = "", description] = line.split("\0");
    return description === undefined ? [] : [{ name, description }];
  });
}

/** It goes into commands that the model runs. */
function isPlain(name: string): boolean {
  return /^[\w.][\w./@+#-]*$/.test(name);
}

async function readLines(args: readonly string[], place: GitPlace): Promise<readonly string[]> {
  const { code, stdout } = await queryGit(args, place);
  return code === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
}
