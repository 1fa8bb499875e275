import type { Answer, Person, Question, ThreadEvent } from "@unroll/protocol";
import type { HostedThread } from "./hosted-thread.ts";

/** Receives the events of a thread and answers its questions; for a server, the wire. */
export interface ThreadClient {
  /**
   * Receives one event, of a turn or between turns. The next one waits until it resolves, and so does the turn: a slow client
   * slows down its own turns. It must not reject.
   */
  tell(event: ThreadEvent, thread: HostedThread<unknown>): Promise<void>;
  /** Questions that it answers; any other is denied. Absent: all but whether a cache may break. */
  readonly takes?: NonNullable<Person["takes"]>;
  /**
   * Answers a question, after it received the item that the question is about. Null: there was no valid answer, so it is
   * denied. `signal` aborts when the question is withdrawn: reject with its reason then.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null>;
}
