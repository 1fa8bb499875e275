import { type Libraries, toDialogPages } from "@unroll/cells";
import { type Person, refusalOf } from "@unroll/protocol";
import type { OwnModelWish } from "../conversation/own-model.ts";
import { createQuestionFlow } from "../dialog/question-flow.ts";
import type { Driver } from "../driver.ts";

export interface PersonOptions {
  readonly driver: Driver;
  readonly libraries: Libraries;
  readonly cwd: string;
  /** Told of an answer that is a wish. */
  readonly wish: Pick<OwnModelWish, "say">;
  /** Called with each question, in a sentence. */
  readonly onQuestion: (message: string) => void;
}

/** You, as threads ask you: questions come one behind the other, and each is shown whole. */
export function createPerson({ driver, libraries, cwd, wish, onQuestion }: PersonOptions): Person {
  return {
    async answer(question, signal) {
      const columns = driver.columns();
      const cells = { libraries, columns, cwd, reasoning: "shown", detail: "whole", more: "" } as const;
      const pages = toDialogPages(question, cells);
      onQuestion(pages[0]?.title ?? "A question");
      const said = await driver.ask(createQuestionFlow(question, pages, driver.answeredBy), signal);
      if (said.type !== "own_model") return said;
      wish.say(said.opened);
      return refusalOf(question);
    },
  };
}
