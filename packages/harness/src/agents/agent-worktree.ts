import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { listProjectFolders, type ResolvedConfig } from "@unroll/config";
import { openWorktree, type RunWorktree, toWorktreeName } from "@unroll/process-tree";
import type { AgentProgress, AgentWorktree, ThreadWorktree } from "@unroll/protocol";
import { canWrite } from "@unroll/sandbox";
import { describeThrown, quoteArgv } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";

/** The git worktree of a sub-agent. */
export interface AgentPlace {
  /** As its thread saves it. */
  readonly noted: ThreadWorktree;
  /** Where it works. */
  readonly folder: string;
  /** Saves its changes as a patch. Without changes the worktree goes, if `mayGo`. Never throws. */
  settle(mayGo: boolean): Promise<AgentChanges>;
}

/** The changes of a sub-agent in its worktree. */
export interface AgentChanges {
  /** Null: the worktree is not there any more. */
  readonly worktree: AgentWorktree | null;
  /** Relative to its top. */
  readonly changedFiles: readonly string[];
  /** For the model: where the worktree is, and how to take its changes over. */
  readonly told: string;
}

interface WorktreeNeeds extends Pick<SharedParts, "host" | "oneByOne"> {
  readonly config: ResolvedConfig;
}

/**
 * Opens the worktree of a sub-agent, or finds it again: its name is of the thread. `from`: the folder that it is made from. Throws
 * `HarnessError` with the reason.
 */
export async function openAgentWorktree(
  threadId: string,
  from: string,
  { host, config, oneByOne }: WorktreeNeeds,
): Promise<AgentPlace> {
  const { env, homeDirectory } = host;
  const places = { env, cwd: from, projects: listProjectFolders(config), homeDirectory };
  const opened = await oneByOne.run(() => openWorktree(places, toWorktreeName(threadId)));
  if (opened.type === "failed") throw new HarnessError("invalid_options", `worktree: ${opened.message}`);
  const { top, tree, branch, folder } = opened;
  return {
    noted: { from, repository: top, tree: await realpath(tree), branch },
    folder,
    async settle(mayGo) {
      try {
        return await oneByOne.run(() => settleWorktree(opened, mayGo));
      } catch (error) {
        return explainKept(opened, { patch: null, changedFiles: [] }, describeThrown(error));
      }
    },
  };
}

async function settleWorktree(worktree: RunWorktree, mayGo: boolean): Promise<AgentChanges> {
  const { top, leftOut } = worktree;
  if (mayGo && (await worktree.close()).isRemoved) {
    const told = ["It changed nothing, so it was removed.", ...(leftOut === null ? [] : [leftOut])].join(" ");
    return { worktree: null, changedFiles: [], told };
  }
  const patch = await worktree.savePatch();
  const none = { patch: null, changedFiles: [] };
  if (patch.type === "failed") return explainKept(worktree, none, `A diff could not be made: ${patch.message}`);
  const { path, files, nested } = patch;
  const without = nested.length === 0 ? "" : `No diff has the files of the repositories in it: ${nested.join(", ")}. `;
  if (files.length === 0) return explainKept(worktree, none, `${without}It changed no files.`);
  const offer = `${without}The diff: ${path}. To take it over: ${quoteArgv(["git", "-C", top, "apply", path])}`;
  return explainKept(worktree, { patch: path, changedFiles: files }, offer);
}

function explainKept(
  { tree, branch, leftOut }: RunWorktree,
  { patch, changedFiles }: { readonly patch: string | null; readonly changedFiles: readonly string[] },
  end: string,
): AgentChanges {
  const told = [
    `${tree} on branch ${branch}. Nothing of it is in your folder.`,
    ...(leftOut === null ? [] : [leftOut]),
    end,
  ];
  return { worktree: { path: tree, branch, patch }, changedFiles, told: told.join(" ") };
}

/** The same for one that ended in another process; where its worktree is gone, it stays so. Never throws. */
export async function settleLeft(threadId: string, noted: ThreadWorktree, needs: WorktreeNeeds): Promise<AgentChanges> {
  if (!existsSync(noted.tree)) return { worktree: null, changedFiles: [], told: "It is not there any more." };
  try {
    return await (await openAgentWorktree(threadId, noted.from, needs)).settle(true);
  } catch (error) {
    const { tree: path, branch } = noted;
    const told = `${path} on branch ${branch}. A diff could not be made: ${describeThrown(error)}`;
    return { worktree: { path, branch, patch: null }, changedFiles: [], told };
  }
}

/** Why the thread may give a sub-agent no worktree; null: it may. Making one writes the repository around the working folder. */
export async function findWorktreeObstacle(
  { executor }: Pick<SharedParts, "executor">,
  { config, sandbox }: Pick<ThreadSettings, "config" | "sandbox">,
): Promise<string | null> {
  const { policy } = sandbox;
  if (executor !== null) return "Commands run on another machine, where there are no worktrees.";
  if (policy.mode === "danger-full-access") return null;
  const folder = await realpath(config.cwd).catch(() => config.cwd);
  if (!canWrite(policy, join(folder, "file"))) return "Your sandbox cannot write here, so there is no worktree.";
  if (policy.mode === "workspace-write" && policy.git === "protected")
    return "Your sandbox cannot write the git folder, so there is no worktree.";
  return null;
}

/** A worktree that is not there any more is not shown. */
export function withChanges({ worktree: before, ...progress }: AgentProgress, changes: AgentChanges): AgentProgress {
  return before === undefined || changes.worktree === null ? progress : { ...progress, worktree: changes.worktree };
}

// structure-ignore idioms: for the model
/** The developer instructions of a sub-agent with a worktree. */
export const worktreeInstructions =
  "You work in a git worktree of your own, which began at the last commit. Change files there and do not commit: when you end, all your changes are handed over as a diff.";
