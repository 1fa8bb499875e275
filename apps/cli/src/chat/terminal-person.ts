import type { Person } from "@unroll/protocol";
import { askApproval } from "./approval-dialog.ts";
import { askModelQuestions } from "./question-dialog.ts";
import type { Terminal } from "./terminal.ts";

/** The person at the terminal. */
export function createTerminalPerson(terminal: Terminal): Person {
  return {
    takes: ["command.approval", "patch.approval", "tool.approval", "model.questions"],
    async answer(question, signal) {
      switch (question.type) {
        case "command.approval":
        case "patch.approval":
        case "tool.approval":
          return askApproval(terminal, question, signal);
        case "model.questions":
          return askModelQuestions(terminal, question.questions, signal);
        case "server.form":
          return { type: "declined" };
      }
    },
  };
}
