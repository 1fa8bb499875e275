import {
  refusalOf,
  type Answer,
  type ApprovalDecision,
  type ApprovalQuestion,
  type Person,
  type Question,
} from "@unroll/protocol";

/**
 * A program's answer to an approval question. Approve with `true` or `"approve"`. Deny with
 * `false`, or with a reason that the model gets. A full `ApprovalDecision` works too.
 */
export type ApprovalReply = boolean | "approve" | { readonly deny: string } | ApprovalDecision;

/**
 * The short form of a person: it decides whether a command, a patch or a call may run, and is asked
 * nothing else.
 */
export interface Approver {
  /** Like `Person.answer`. An exception, or anything that is not an answer, is a denial. */
  approve(question: ApprovalQuestion, signal: AbortSignal): ApprovalReply | Promise<ApprovalReply>;
}

/**
 * Answers questions: all of them (`Person`), approvals only (`Approver`), or approvals by a plain
 * function.
 */
export type AnyPerson = Person | Approver | Approver["approve"];

const approvals: readonly Question["type"][] = ["command.approval", "patch.approval", "tool.approval", "host.approval"];

/** Converts any form of a person into the port. */
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
