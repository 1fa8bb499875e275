import {
  refusalOf,
  type Answer,
  type ApprovalDecision,
  type ApprovalQuestion,
  type Person,
  type Question,
} from "@unroll/protocol";

/**
 * What a program says to a question: yes (`true` or `"approve"`), or no (`false`, or with what the model is to do instead). A decision of a
 * `Person` does, too.
 */
export type ApprovalReply = boolean | "approve" | { readonly deny: string } | ApprovalDecision;

/** A person in short: asked whether a command, a patch or a call may run, and nothing else. */
export interface Approver {
  /** As `Person.answer`; what it throws, and what is no answer, is a no. */
  approve(question: ApprovalQuestion, signal: AbortSignal): ApprovalReply | Promise<ApprovalReply>;
}

/** Whoever answers: all questions, approvals alone, or approvals by a plain function. */
export type AnyPerson = Person | Approver | Approver["approve"];

const approvals: readonly Question["type"][] = ["command.approval", "patch.approval", "tool.approval"];

/** Any form of a person as the port. */
export function toPerson(person: AnyPerson): Person {
  if (typeof person === "function") return toPerson({ approve: person });
  if (!("approve" in person)) return person;
  return {
    takes: approvals,
    async answer(question, signal) {
      if (!isApproval(question)) return refusalOf(question);
      const reply = await person.approve(question, signal);
      return reply === false ? refusalOf(question) : toAnswer(reply);
    },
  };
}

function isApproval(question: Question): question is ApprovalQuestion {
  return approvals.includes(question.type);
}

function toAnswer(reply: Exclude<ApprovalReply, false>): Answer {
  if (reply === true || reply === "approve") return { type: "approved.once" };
  return "deny" in reply ? { type: "denied", reason: reply.deny } : reply;
}
