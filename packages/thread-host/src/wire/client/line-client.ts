import type { LineNotice, LineQuestions } from "./line-questions.ts";

/** One client, as a service sees it. */
export interface LineClient<Questions extends LineQuestions, Notice extends LineNotice> {
  /** Aborts when it is gone. */
  readonly ended: AbortSignal;
  notify(notice: Notice): void;
  /**
   * Asks it something. Rejects with the signal's reason when the answer is no longer wanted, and with `RequestFault` where it
   * refuses, is gone, or says what is no answer. The client is told when the question is over.
   */
  ask<Method extends keyof Questions & string>(
    method: Method,
    params: Questions[Method]["params"],
    signal: AbortSignal,
  ): Promise<Questions[Method]["result"]>;
  /**
   * Resolves when it has taken enough of what it was sent, or is gone; null: that is so. Whoever makes much waits for it before it
   * makes more.
   */
  room(): Promise<void> | null;
}
