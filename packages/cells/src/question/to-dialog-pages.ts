import type { ApprovalQuestion, PrefixQuestion, Question } from "@unroll/protocol";
import type { CellOptions } from "../options/cell-options.ts";
import { renderPatchDiff } from "../item/render-patch.ts";
import { type AskedPart, markLines, toAskedLines } from "./asked-lines.ts";
import type { DialogChoice, DialogPage } from "./dialog-page.ts";
import { toFormPages } from "./form-pages.ts";
import { toModelPages } from "./model-pages.ts";

/** A question as the pages of a dialogue: one, or for a form and several questions of the model one each. */
export function toDialogPages(question: Question, options: CellOptions): readonly DialogPage[] {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
      return [toApprovalPage(question, options)];
    case "prefix.break":
      return [toBreakPage(question)];
    case "model.questions":
      return toModelPages(question);
    case "server.form":
      return toFormPages(question);
  }
}

function toApprovalPage(question: ApprovalQuestion, options: CellOptions): DialogPage {
  const reason = [
    { label: "asked by", text: question.askedBy },
    { label: "why", text: question.reason, isProse: true },
  ];
  const diff =
    question.type === "patch.approval" && question.diff !== ""
      ? markLines(renderPatchDiff(question.diff, { ...options, detail: "whole" }))
      : [];
  const lines = [...toAskedLines(toParts(question)), ...diff, ...toAskedLines(reason)];
  return { id: null, title: toTitle(question), lines, choices: toChoices(question), input: null };
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

function toParts(question: ApprovalQuestion): readonly AskedPart[] {
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

const yes: DialogChoice = {
  key: "y",
  label: "yes",
  description: "",
  action: { type: "answer", answer: { type: "approved.once" } },
};
const no: DialogChoice = {
  key: "n",
  label: "no",
  description: "",
  action: { type: "answer", answer: { type: "denied", reason: null } },
};
const tell: DialogChoice = { key: "t", label: "no, and tell it what to do", description: "", action: { type: "tell" } };

function toChoices(question: ApprovalQuestion): readonly DialogChoice[] {
  const isKeepable = question.type !== "tool.approval" || question.isKeepable;
  const whole: Readonly<Record<ApprovalQuestion["type"], string>> = {
    "command.approval": "this command in this folder",
    "patch.approval": "these files",
    "tool.approval": "this tool",
  };
  const thread: DialogChoice = {
    key: "s",
    label: "yes, for this conversation",
    description: whole[question.type],
    action: { type: "answer", answer: { type: "approved.thread" } },
  };
  return [yes, ...(isKeepable ? [thread] : []), ...toAlways(question), no, tell];
}

function toAlways(question: ApprovalQuestion): readonly DialogChoice[] {
  if (question.type !== "command.approval" || question.proposedPrefix === null) return [];
  const [line] = toAskedLines([{ label: "", text: question.proposedPrefix.join(" ").replaceAll("\n", "\\n") }]);
  const shown = line?.spans.at(-1)?.text ?? "";
  return [
    {
      key: "a",
      label: `always what begins with \`${shown}\``,
      description: question.alsoAllows ?? "",
      action: { type: "edit_prefix", prefix: question.proposedPrefix },
    },
  ];
}

function toBreakPage({ changes, tokens, askedBy, reason }: PrefixQuestion): DialogPage {
  const parts = [
    ...changes.map((text) => ({ label: "changes", text })),
    { label: "costs", text: `about ${tokens} tokens that are not in the provider's cache` },
    { label: "asked by", text: askedBy },
    { label: "why", text: reason, isProse: true },
  ];
  return {
    id: null,
    title: "May the requests of this conversation begin anew?",
    lines: toAskedLines(parts),
    choices: [yes, no],
    input: null,
  };
}
