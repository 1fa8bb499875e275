// Until openThread takes a `Person`: its three older ports, answered by one. The lead deletes this file when it does.
import type { OpenThreadOptions } from "@unroll/harness";
import type { Answer, Person } from "@unroll/protocol";

export function toThreadPorts(person: Person): Required<Pick<OpenThreadOptions, "approvals" | "userInput" | "elicit">> {
  const place = { threadId: "", itemId: null };
  return {
    approvals: {
      decide: async (question, signal) => toDecision(await person.answer(question, signal)),
    },
    userInput: {
      async ask(questions, signal) {
        const answer = await person.answer({ type: "model.questions", ...place, questions }, signal);
        return answer.type === "answered" ? answer : { type: "dismissed" };
      },
    },
    async elicit(form, signal) {
      const answer = await person.answer({ type: "server.form", ...place, ...form }, signal);
      return answer.type === "accepted" || answer.type === "declined" ? answer : { type: "cancelled" };
    },
  };
}

type Decision = Awaited<ReturnType<NonNullable<OpenThreadOptions["approvals"]>["decide"]>>;

function toDecision(answer: Answer): Decision {
  const isDecision =
    answer.type === "approved.once" || answer.type === "approved.thread" || answer.type === "approved.always";
  return isDecision || answer.type === "denied" ? answer : { type: "denied", reason: null };
}
