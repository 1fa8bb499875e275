import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";

/** Who answers questions: a person at a terminal or in an editor, or a program that stands in. Implemented by the app. */
export interface Person {
  /** Which questions they take; any other is answered by a no without being asked. Absent: all. */
  readonly takes?: readonly Question["type"][];
  /**
   * Waits for the answer, as long as it takes. `signal` aborts when it is no longer wanted: reject with its reason. An
   * answer that does not fit the question is a no.
   */
  answer(question: Question, signal: AbortSignal): Promise<Answer>;
}
