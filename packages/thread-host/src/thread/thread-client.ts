import type { Answer, Person, Question, ThreadEvent } from "@unroll/protocol";
import type { HostedThread } from "./hosted-thread.ts";

/** Who is told of a thread, and asked: the wire of a front end. */
export interface ThreadClient {
  /**
   * Takes one event, of a turn or from between turns. The next one waits until it resolves, and so does the turn: a reader
   * that is slow slows down its own turns. It must not reject.
   */
  tell(event: ThreadEvent, thread: HostedThread<unknown>): Promise<void>;
  /** Which questions it is asked; any other is answered by a no. Absent: all but whether a prefix may break. */
  readonly takes?: NonNullable<Person["takes"]>;
  /**
   * Asked when it was told of the item that the question is about. Null: nobody gave an answer that is one, which is a no.
   * `signal` aborts when the question is withdrawn: reject with its reason then.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null>;
}
