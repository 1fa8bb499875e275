import { type Libraries, toDialogPages } from "@unroll/cells";
import type { Question } from "@unroll/protocol";
import { createQuestionFlow, type QuestionAnswer } from "../dialog/question-flow.ts";
import type { Driver } from "../driver.ts";

export interface AskOptions {
  readonly driver: Driver;
  readonly libraries: Libraries;
  readonly cwd: string;
  /** Called with the question's title. */
  readonly onQuestion: (title: string) => void;
}

/** Asks you a question of a thread. Several questions come one after the other, each shown whole. */
export function askPerson(
  { driver, libraries, cwd, onQuestion }: AskOptions,
  question: Question,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const columns = driver.columns();
  const pages = toDialogPages(question, { libraries, columns, cwd, reasoning: "shown", detail: "whole", more: "" });
  onQuestion(pages[0]?.title ?? "A question");
  const leaveKey = driver.showKey("list.cancel") ?? "";
  return driver.ask(createQuestionFlow(question, pages, { way: driver.answeredBy, leaveKey }), signal);
}
