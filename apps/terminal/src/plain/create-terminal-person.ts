import { refusalOf, type Answer, type Person, type Question } from "@unroll/protocol";
import type { OwnModelWish } from "../conversation/own-model.ts";
import { askApproval } from "./dialog/ask-approval.ts";
import { askBreak } from "./dialog/ask-break.ts";
import { askChoice } from "./dialog/ask-choice.ts";
import { fillForm } from "./dialog/fill-form.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The person at the terminal. One question at a time, in the order in which they came; what is asked is shown whole, and
 * only what is typed after that counts. Leaving a question (^C, ^D) is a no. `wish` is told of one that is a wish.
 */
export function createTerminalPerson(terminal: Terminal, wish: Pick<OwnModelWish, "say">): Person {
  return {
    async answer(question, signal) {
      using _held = await terminal.hold(signal);
      const answer = await ask({ terminal, wish }, question, signal);
      signal.throwIfAborted();
      return answer;
    },
  };
}

interface PersonParts {
  readonly terminal: Terminal;
  readonly wish: Pick<OwnModelWish, "say">;
}

async function ask({ terminal, wish }: PersonParts, question: Question, signal: AbortSignal): Promise<Answer> {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
      return askApproval(terminal, question, signal);
    case "prefix.break": {
      const said = await askBreak(terminal, question, signal);
      if (said !== "own_model") return said;
      wish.say(question.opened);
      return refusalOf(question);
    }
    case "model.questions":
      return askChoice(terminal, question, signal);
    case "server.form":
      return fillForm(terminal, question, signal);
  }
}
