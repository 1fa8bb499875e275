/** Arguments for git; it runs nothing for them. Its output is for `findNamedPrograms`. */
export const gitConfigArguments: readonly string[] = ["config", "--list", "--show-scope", "--name-only", "-z"];

/** Settings by which git, and git-lfs, which a person's own filter may be, run a program while files are compared or checked out. */
const namesProgram = /^(?:filter\..*|hook\..*|lfs\.(?:extension|customtransfer|standalonetransferagent)(?:\..*)?)$/is;
/** Settings of one that fetches what it lacks from somewhere else. */
const isPartial = /^(?:extensions\.partialclone|remote\..*\.promisor)$/is;
/** Settings that name the program that fetches. */
const namesFetcher =
  /^(?:core\.(?:sshcommand|gitproxy|askpass)|credential\..*|protocol\..*|remote\..*\.(?:uploadpack|vcs))$/is;

/** Scopes that a person or an administrator wrote, or we; those of a repository are `local` and `worktree`. */
const trustedScopes: ReadonlySet<string> = new Set(["system", "global", "command"]);

/**
 * A repository's own settings that make git run programs. The repository's author wrote them, and our git runs outside
 * any sandbox. Null: the output says nothing; nothing is known then.
 */
export function findNamedPrograms(output: string): readonly string[] | null {
  const fields = output.split("\0");
  if (fields.length % 2 === 0 || fields.at(-1) !== "") return null;
  const own = fields.flatMap((scope, index) =>
    index % 2 === 0 && index + 1 < fields.length && !trustedScopes.has(scope) ? [fields[index + 1] ?? ""] : [],
  );
  const isFetching = own.some((key) => isPartial.test(key));
  return [...new Set(own.filter((key) => namesProgram.test(key) || (isFetching && namesFetcher.test(key))))];
}
