import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";

/**
 * Answers questions: a person at a terminal or in an editor, or a program in their place. Your
 * program implements it; `@unroll/harness` also accepts a function.
 */
export interface Person {
  /** The questions that they answer; all others are denied without asking. Absent: all. */
  readonly takes?: readonly Question["type"][];
  /**
   * Waits for the answer, as long as it takes. `signal` aborts when it is no longer needed: reject
   * with its reason. An answer that does not fit the question is a denial.
   */
  answer(question: Question, signal: AbortSignal): Promise<Answer>;
}
