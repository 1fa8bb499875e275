import type { OpenThreadOptions } from "@unroll/harness";
import type { Question } from "@unroll/protocol";
import type { ApprovalChannel } from "./approval-channel.ts";
import type { QuestionLines } from "./program-person.ts";

/** The answers to the policy's questions, and their effect on the turn. */
export type ApprovalDesk = Pick<OpenThreadOptions, "person" | "guards">;

/** `lines` are opened where there is something to say. */
export async function createApprovalDesk(channel: ApprovalChannel, lines: () => QuestionLines): Promise<ApprovalDesk> {
  switch (channel) {
    case "refuse":
      return {};
    case "stop":
      return createStop((text) => lines().complain(text));
    case "stdio": {
      const { createProgramPerson } = await import("./program-person.ts");
      return { person: createProgramPerson(lines()) };
    }
  }
}

/** Answers nothing: the turn ends, and the calls wait. A question while a call runs is denied, and ends the turn before the next request. */
function createStop(complain: (text: string) => Promise<void>): ApprovalDesk {
  let needed: string | null = null;
  return {
    person: {
      takes: ["command.approval", "patch.approval", "tool.approval", "host.approval"],
      async answer(question) {
        needed ??= describe(question);
        await complain(`${describe(question)} No one can approve it here: ${describeWays(question)}`);
        return { type: "postponed" };
      },
    },
    guards: [
      {
        // oxlint-disable-next-line require-yield -- it has nothing to tell
        async *before() {
          if (needed === null) return { type: "go" };
          return { type: "stop", error: { code: "approval_needed", message: `Your approval was needed: ${needed}` } };
        },
      },
    ],
  };
}

/** The connection to a host does not wait, so nothing asks about it again. */
function describeWays(question: Question): string {
  if (question.type !== "host.approval")
    return `a saved thread asks you again (unroll resume ${question.threadId}). Or allow it with a rule or the approval policy, or use --approvals stdio.`;
  const how = question.endsByRule
    ? `allow it with --allow-host ${question.hosts[0] ?? ""} or a rule`
    : "change that rule";
  return `${how}, or use --approvals stdio.`;
}

function describe(question: Question): string {
  switch (question.type) {
    case "command.approval":
      return `${question.command}: ${question.reason}`;
    case "host.approval":
    case "patch.approval":
    case "prefix.break":
      return question.reason;
    case "tool.approval":
      return `${question.tool}: ${question.reason}`;
    case "model.questions":
    case "server.form":
      return "The agent asked a question.";
  }
}
