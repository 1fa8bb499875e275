import type { TokenUsage } from "../event/token-usage.ts";
import type { ThreadParent } from "./thread-notes.ts";

/** A thread as a list shows it, by what can be read quickly. */
export interface ThreadSummary {
  readonly threadId: string;
  /** Ms since 1970. */
  readonly createdAt: number;
  /** When it was written last, in ms since 1970. */
  readonly usedAt: number;
  /** Null: it does not say. */
  readonly cwd: string | null;
  /** The git branch when it was created; null: none was found. */
  readonly branch: string | null;
  /** As a person named it; null: nobody has. */
  readonly name: string | null;
  /** The beginning of what a person said first; null where nobody has. */
  readonly title: string | null;
  /** The last turn's model; null: unknown. */
  readonly model: string | null;
  /** The id of its first provider; null: unknown. */
  readonly provider: string | null;
  readonly turns: number;
  /** Null: it is not a copy. */
  readonly forkedFrom: ForkOrigin | null;
  /** The thread that started it as a sub-agent. Null, or absent: none did. */
  readonly parent?: Pick<ThreadParent, "threadId" | "depth"> | null;
  /** Its size in the store, in bytes; null: unknown. */
  readonly size: number | null;
  /** The usage of all its turns; null: unknown. */
  readonly usage: TokenUsage | null;
  /** In tokens, of the request that had the most input; null, or absent: it does not say. */
  readonly longestInput?: number | null;
  /** The kind of program that started it, as its store writes it: `cli`, `exec`. Null, or absent: it does not say. */
  readonly source?: string | null;
  /** Its file, absolute; absent: the store has none. */
  readonly path?: string;
}

/** The thread that another one is a copy of. */
export interface ForkOrigin {
  readonly threadId: string;
  /** How many of its turns the copy starts with; null: the copy does not say. */
  readonly turns: number | null;
  /** The beginning of the first message behind these turns; null: there is none, or `turns` is null. */
  readonly title: string | null;
}
