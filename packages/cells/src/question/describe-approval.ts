import type { ApprovalQuestion, PrefixQuestion } from "@unroll/protocol";
import { groupDigits, showHidden } from "@unroll/text";
import type { QuestionPart, AskedText } from "./question-part.ts";

/** What is to be allowed, without the diff of a patch. `reason`: who asks and why, which stands behind it. */
export interface AskedApproval extends AskedText {
  readonly reason: readonly QuestionPart[];
}

/** What an approval is about, as every front end of the terminal shows it. */
export function describeApproval(question: ApprovalQuestion): AskedApproval {
  const { askedBy, reason } = question;
  return {
    title: toTitle(question),
    parts: toParts(question),
    reason: [
      { label: "asked by", text: askedBy },
      { label: "why", text: reason, isProse: true },
    ],
  };
}

/** What changes at the beginning of the requests, and what that costs. */
export function describeBreak({ changes, tokens, askedBy, reason }: PrefixQuestion): AskedText {
  return {
    title: "May the requests of this conversation begin anew?",
    parts: [
      ...changes.map((text) => ({ label: "changes", text })),
      { label: "costs", text: `about ${groupDigits(tokens)} tokens that are not in the provider's cache` },
      { label: "asked by", text: askedBy },
      { label: "why", text: reason, isProse: true },
    ],
  };
}

/** The third answer to that question. */
export function describeOwnModel({ opened }: PrefixQuestion): string {
  return `go on with its own model (${showHidden(opened.model)})`;
}

function toTitle(question: ApprovalQuestion): string {
  switch (question.type) {
    case "command.approval":
      return `May this command run${question.isUnconfined ? " outside the sandbox" : ""}?`;
    case "patch.approval":
      return "May these files be changed?";
    case "tool.approval":
      return "May this tool be called?";
  }
}

function toParts(question: ApprovalQuestion): readonly QuestionPart[] {
  switch (question.type) {
    case "command.approval": {
      const { command, cwd, justification } = question;
      const said = justification === null ? [] : [{ label: "the model", text: justification, isProse: true }];
      return [{ label: "command", text: command, roles: ["strong"] }, { label: "in", text: cwd }, ...said];
    }
    case "patch.approval":
      return [
        ...question.changes.map(({ kind, path }) => ({ label: kind, text: path })),
        ...question.outsideRoots.map((path) => ({ label: "outside", text: path, roles: ["warning"] as const })),
      ];
    case "tool.approval": {
      const { server, tool } = question;
      const from = server === null ? [] : [{ label: "server", text: server }];
      const json = question.arguments === undefined ? "nothing" : JSON.stringify(question.arguments, null, 2);
      return [...from, { label: "tool", text: tool }, { label: "with", text: json }];
    }
  }
}
