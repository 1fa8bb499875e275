import type { OpenThreadOptions } from "@unroll/harness";
import type { Question } from "@unroll/protocol";
import type { ApprovalChannel } from "./approval-channel.ts";
import type { QuestionLines } from "./program-person.ts";

/** The answers to the policy's questions, and their effect on the turn. */
export type ApprovalDesk = Pick<OpenThreadOptions, "person" | "guards">;

/** `lines` are opened where a program answers. */
export async function createApprovalDesk(channel: ApprovalChannel, lines: () => QuestionLines): Promise<ApprovalDesk> {
  switch (channel) {
    case "refuse":
      return {};
    case "stop":
      return createStop();
    case "stdio": {
      const { createProgramPerson } = await import("./program-person.ts");
      return { person: createProgramPerson(lines()) };
    }
  }
}

/** Says no to the first question, and ends the turn before the next request. */
function createStop(): ApprovalDesk {
  let needed: string | null = null;
  return {
    person: {
      takes: ["command.approval", "patch.approval", "tool.approval", "host.approval"],
      answer: (question) => {
        needed ??= describe(question);
        // structure-ignore idioms: for the model
        return Promise.resolve({ type: "denied", reason: "The run stops here: a person has to decide." });
      },
    },
    guards: [
      {
        // oxlint-disable-next-line require-yield -- it has nothing to tell
        async *before() {
          if (needed === null) return { type: "go" };
          const message = `${needed} No one can approve it here: run it at a terminal, allow it with a rule or the approval policy, or use --approvals stdio.`;
          return { type: "stop", error: { code: "approval_needed", message } };
        },
      },
    ],
  };
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
