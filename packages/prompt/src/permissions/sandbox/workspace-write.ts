import type { SandboxPolicy } from "@unroll/protocol";
import type { PermissionsContext } from "../../prompt-context.ts";
import { listPaths } from "../list-paths.ts";
import { closedNetworkText } from "./closed-network.ts";
import { describeHiddenPaths } from "./hidden-paths.ts";

/** `workspace-write`: work in the project, leave the machine alone. */
export function describeWorkspaceWrite(context: PermissionsContext): string {
  const { sandboxPolicy } = context;
  return [
    "# Sandbox: workspace-write",
    `Commands that you run with the shell tool may read files everywhere, and create, change and delete them in these folders and below, where patches apply too:\n${listPaths(writableRoots(context))}`,
    `Everywhere else "read-only file system" or "permission denied" on a write is this sandbox speaking. Folders named \`.codex\` and \`.agents\` stay read-only even in there: they steer the harness itself.`,
    gitTexts[sandboxPolicy.git],
    ...describeHiddenPaths(sandboxPolicy),
    sandboxPolicy.networkAccess ? "Network: open. Commands may reach other machines." : closedNetworkText,
  ].join("\n\n");
}

function writableRoots({ cwd, temporaryFolder, sandboxPolicy }: PermissionsContext): readonly string[] {
  const temporary = temporaryFolder === null || sandboxPolicy.excludeTmpdirEnvVar ? [] : [temporaryFolder];
  return [cwd, ...sandboxPolicy.writableRoots, ...(sandboxPolicy.excludeSlashTmp ? [] : ["/tmp"]), ...temporary];
}

const gitTexts: Readonly<Record<SandboxPolicy["git"], string>> = {
  writable:
    "Git works: you can stage, commit, branch, switch, stash and rebase when the task calls for it. What could make a later git outside the sandbox run something stays read-only: the repository's `config`, its `hooks`, `info/attributes`. `git config` and installing hooks therefore fail; pass a setting for one command with `git -c key=value` instead.",
  protected:
    "All of `.git` is read-only: `git status`, `diff`, `log` and `show` work; whatever records something (`add`, `commit`, `switch`, `stash`, …) fails. Leave the changes in the working tree for the person to commit.",
};
