import type { ResolvedConfig } from "@unroll/config";
import type { StepGuard, ThreadState } from "@unroll/core";
import type { Journal, JournalEntry, Person, ThreadRole, ThreadWorktree } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import type { BuiltinToolName, Tool, UserShell } from "@unroll/tools";
import type { AgentRole, PromptFiles } from "@unroll/prompt";
import type { OpenedThread } from "../cache-break.ts";
import type { Budget } from "../guard/budget.ts";
import type { ThreadHosts } from "../sandbox/thread-hosts.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { ThreadBounds } from "../sub-agent/thread-bounds.ts";
import type { SharedParts } from "./shared-parts.ts";
import type { ThreadFeed } from "./thread-feed.ts";

/** The past of a thread before it is opened here, and where it is saved from now on. */
export interface ThreadPast {
  readonly id: string;
  /** Empty: it is a new one. */
  readonly entries: readonly JournalEntry[];
  /** Null: it is not written down. */
  readonly journal: Journal | null;
  /** Disposed when the thread is closed, and where it cannot be opened. Null: the journal is the program's own. */
  readonly held: AsyncDisposable | null;
  /** As of `StoredJournal`; null: the thread cannot be lost. */
  readonly lost: AbortSignal | null;
  /** Whether what is known of the thread by now outlasts it. */
  readonly isKept: () => boolean;
  /** Warnings about it for the user. */
  readonly warnings: readonly string[];
  /** All that is written of it by now; empty: nothing is yet. */
  readonly readEntries: () => Promise<readonly JournalEntry[]>;
}

/** A thread's own options, the harness's and its past, each settled once. Nothing here is left open. */
export interface OwnParts extends ThreadPast, Omit<ThreadBounds, "settings"> {
  /** Includes the settings that the thread sent before. */
  readonly config: ResolvedConfig;
  /** How the thread was opened; null: it is a new one. */
  readonly opened: OpenedThread | null;
  /** Null: nobody is asked. */
  readonly person: Person | null;
  readonly tools: readonly Tool[];
  /** The program's roles of sub-agents; null: it gives none. */
  readonly agents: readonly AgentRole[] | null;
  /** Its own role as a sub-agent; null: it has none. */
  readonly role: ThreadRole | null;
  /** Null: it has none of its own. */
  readonly worktree: ThreadWorktree | null;
  /** Null: all that the config gives. */
  readonly builtins: readonly BuiltinToolName[] | null;
  /** Null: those of the model family and the config. */
  readonly instructions: string | null;
  /** The program's guards, asked after the built-in ones. */
  readonly guards: readonly StepGuard[];
  /** Null: only the limits of the config hold. */
  readonly budget: Budget | null;
  readonly waitForMcp: boolean;
  readonly reportsSandbox: boolean;
  /** Null: the provider's cache is the thread's own. */
  readonly cacheShard: number | null;
  readonly allowsBreak: boolean;
  readonly signal: AbortSignal;
}

/**
 * The base of every part of a thread. It exists first, and stays while the thread is open,
 * whichever model answers.
 */
export interface ThreadBase {
  readonly own: OwnParts;
  readonly shared: SharedParts;
  readonly shell: UserShell;
  /** Read at each use, as they change. */
  readonly settings: ThreadSettings;
  readonly state: ThreadState;
  readonly feed: ThreadFeed;
  readonly hosts: ThreadHosts;
  /** Null: nothing is masked. */
  readonly secrets: SecretMask | null;
  /** For prompts and skills: none that the settings hide. */
  readonly promptFiles: PromptFiles;
}
