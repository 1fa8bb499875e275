import type { ApprovalQuestion, PrefixQuestion, Question } from "@unroll/protocol";
import type { CellOptions } from "../cell-options.ts";
import { renderPatchDiff } from "../item/render-patch.ts";
import { markLines, toAskedLines } from "./asked-lines.ts";
import { describeApproval, describeBreak, describeOwnModel } from "./describe-approval.ts";
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
  const { title, parts, reason } = describeApproval(question);
  const diff =
    question.type === "patch.approval" && question.diff !== ""
      ? markLines("diff", renderPatchDiff(question.diff, { ...options, detail: "whole" }))
      : [];
  const lines = [...toAskedLines(parts), ...diff, ...toAskedLines(reason)];
  return { id: null, title, lines, choices: toChoices(question), input: null };
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
  const { proposedEnv } = question;
  const variables = proposedEnv.length === 0 ? "" : ` with ${proposedEnv.join(", ")}`;
  return [
    {
      key: "a",
      label: `always what begins with \`${shown}\`${variables}`,
      description: question.alsoAllows ?? "",
      action: { type: "edit_prefix", prefix: question.proposedPrefix },
    },
  ];
}

function toBreakPage(question: PrefixQuestion): DialogPage {
  const { title, parts } = describeBreak(question);
  const own: DialogChoice = {
    key: "o",
    label: describeOwnModel(question),
    description: "nothing is sent anew",
    action: { type: "own_model", opened: question.opened },
  };
  return { id: null, title, lines: toAskedLines(parts), choices: [yes, own, no], input: null };
}
