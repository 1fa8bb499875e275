import type { ResolvedConfig } from "@unroll/config";
import type { Thread, ThreadChange } from "@unroll/harness";
import type { JournalEntry, ThreadStore } from "@unroll/protocol";

/** Where the next thread of a conversation begins. */
export type ThreadOrigin =
  | { readonly type: "new" }
  | { readonly type: "resume"; readonly id: string }
  /** `turns`: with how many of its first turns; null: with all. */
  | { readonly type: "fork"; readonly id: string; readonly turns: number | null };

/** What a person at a terminal works in: one thread at a time, and what holds for the next ones. */
export interface Conversation extends AsyncDisposable {
  readonly thread: Thread;
  /** With what was changed since the start. */
  readonly config: ResolvedConfig;
  /** Null: threads are not kept. */
  readonly store: ThreadStore | null;
  /** Whether the thread can be gone on with in another process: it is kept, and has a turn. */
  isResumable(): Promise<boolean>;
  /** All that is written down of the thread so far. */
  entries(): Promise<readonly JournalEntry[]>;
  /** Settings of this thread, and of those after it. */
  change(change: ThreadChange): void;
  /** Leaves the thread for another one. Where that cannot be had, it throws, and the thread stays. */
  open(origin: ThreadOrigin): Promise<void>;
  /** Goes on with another model; the person is asked first, where all would be sent anew. Throws as `open`. */
  chooseModel(config: ResolvedConfig): Promise<void>;
  /** A command that the model left running outlives this thread, though not this program. False: there is none of this id. */
  keepSession(sessionId: number): boolean;
  /** The threads that were left with a command that was to be kept, and still runs. */
  leftThreads(): readonly Thread[];
  /** Calls back with each thread that is gone on with from then on. */
  onThread(listener: ThreadListener): void;
  /** Calls back with each command that ended because its thread was left. */
  onEnded(listener: (command: string) => void): void;
}

/** `how`: whether it goes on from all that was said in the one before, as a copy of it does, or with another model. */
export type ThreadListener = (thread: Thread, how: "on" | "anew") => void;
