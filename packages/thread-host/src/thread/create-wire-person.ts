import { refusalOf, type Person } from "@unroll/protocol";
import type { ShownItems } from "./shown-items.ts";
import type { ThreadClient } from "./thread-client.ts";

/** Whoever follows a thread answers. Who refuses a question, is gone, or says what is no answer has said no. */
export function createWirePerson(follower: ThreadClient, shown: ShownItems): Person {
  return {
    takes: follower.takes ?? ["command.approval", "patch.approval", "tool.approval", "model.questions", "server.form"],
    async answer(question, signal) {
      if (question.itemId !== null) await shown.whenShown(question.itemId, signal);
      return (await follower.ask(question, signal)) ?? refusalOf(question);
    },
  };
}
