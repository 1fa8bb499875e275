import type { ThreadFlags } from "@unroll/program";
import type { ReviewTarget } from "@unroll/report";
import type { ApprovalChannel } from "./approval/approval-channel.ts";

/** The command line of `unroll exec`. */
export interface ExecOptions extends ThreadFlags {
  /** Absent or `-`: the prompt comes on stdin. */
  readonly prompt?: string;
  readonly json?: boolean;
  /** With `json`: on stdout as the public Codex SDK reads it. */
  readonly experimentalJson?: boolean;
  /** Instead of a task: writes the JSON Schema of the events. */
  readonly printSchema?: boolean;
  readonly image?: readonly string[];
  readonly outputLastMessage?: string;
  readonly outputSchema?: string;
  /** So often an answer that misses the schema is asked for again. */
  readonly schemaRepairs?: number;
  /** How questions of the approval policy are answered. Absent: they are denied. */
  readonly approvals?: ApprovalChannel;
  /** Events go here, one a line, besides what is shown. */
  readonly eventsFd?: number;
  /** Passes over the rules of the user. */
  readonly ignoreRules?: boolean;
  /** No progress on stderr. */
  readonly quiet?: boolean;
  /** Of clients of the Codex CLI; without effect. */
  readonly threadSource?: string;
  readonly cyberAccessProgram?: string;
  readonly dangerouslyBypassHookTrust?: boolean;
  /** The title of a commit that is reviewed. */
  readonly title?: string;
  readonly skipGitRepoCheck?: boolean;
  /** Works in a git worktree of its own, which is kept where something was changed. */
  readonly worktree?: boolean;
  /** Ends sub-agents in the background with the turn, instead of waiting for them. */
  readonly stopAgents?: boolean;
  /** Keeps the thread out of the store. */
  readonly ephemeral?: boolean;
  /** Lets a resumed thread resend everything uncached: see `ThreadOptions.allowCacheBreak`. */
  readonly allowCacheBreak?: boolean;
  /** Resumes the thread with this id, or the `last` one of the working folder. Absent: a new thread. */
  readonly resume?: string;
  /** Begins a new thread as the one of this id, or the `last` one, does: with its first `at` turns, or all. */
  readonly fork?: { readonly id: string; readonly at?: number };
  /** Reviews this instead; `prompt` is what it is to look at in particular. */
  readonly review?: ReviewTarget;
  /** `last` is the one of all folders. */
  readonly all?: boolean;
  /** Runs the tasks of this file instead, one JSON object a line. */
  readonly batch?: string;
  /** With `batch`: how many tasks run at once. */
  readonly jobs?: number;
  /** With `batch`: results go to this file. Absent: to stdout. */
  readonly out?: string;
  /** With `batch`: ends each task after this time. */
  readonly taskTimeout?: string;
  /** With `batch`: ends it at the first task that fails. */
  readonly failFast?: boolean;
  /** With `batch`: runs only the tasks that failed before. */
  readonly onlyFailed?: boolean;
}
