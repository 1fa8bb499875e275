import type { ApprovalQuestion, PrefixQuestion, Question } from "@unroll/protocol";
import { pluralize, showHidden } from "@unroll/text";
import { shortenPath } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { renderPatchDiff } from "../item/render-patch.ts";
import { markLines, type QuestionPart, toAskedLines } from "./asked-lines.ts";
import type { DialogChoice, DialogPage } from "./dialog-page.ts";
import { toFormPages } from "./form-pages.ts";
import { toModelPages } from "./model-pages.ts";

/**
 * A question as the pages of a dialog: one page, or one for each field of a form and each question of the model. The title names a
 * sub-agent that asks.
 */
export function toDialogPages(question: Question, options: CellOptions): readonly DialogPage[] {
  const pages = toOwnPages(question, options);
  const { agent } = question;
  return agent === undefined
    ? pages
    : pages.map((page) => ({ ...page, title: `Sub-agent ${showHidden(agent)}: ${page.title}` }));
}

function toOwnPages(question: Question, options: CellOptions): readonly DialogPage[] {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
    case "host.approval":
      return [toApprovalPage(question, options)];
    case "prefix.break":
      return [toBreakPage(question)];
    case "model.questions":
      return toModelPages(question);
    case "server.form":
      return toFormPages(question);
  }
}

/** The diff of a patch comes before the reason. */
function toApprovalPage(question: ApprovalQuestion, options: CellOptions): DialogPage {
  const diff =
    question.type === "patch.approval" && question.diff !== ""
      ? markLines("diff", renderPatchDiff(question.diff, { ...options, detail: "whole" }))
      : [];
  const lines = [
    ...toAskedLines(toParts(question, options)),
    ...diff,
    ...toAskedLines([...toReason(question), ...toScope(question)]),
  ];
  return { id: null, title: toTitle(question), lines, choices: toChoices(question), input: null };
}

function toReason({ askedBy, reason }: ApprovalQuestion | PrefixQuestion): readonly QuestionPart[] {
  return [
    { label: "asked by", text: askedBy },
    { label: "why", text: reason, isProse: true },
  ];
}

function toTitle(question: ApprovalQuestion): string {
  switch (question.type) {
    case "command.approval":
      return `Run this command${question.isUnconfined ? " outside the sandbox" : ""}?`;
    case "patch.approval":
      return "Change these files?";
    case "tool.approval":
      return "Call this tool?";
    case "host.approval":
      return question.hosts.length === 1 ? "Let this command reach a host?" : "Let this command reach these hosts?";
  }
}

function toParts(question: ApprovalQuestion, { cwd }: CellOptions): readonly QuestionPart[] {
  switch (question.type) {
    case "command.approval": {
      const { command, cwd, justification } = question;
      const said = justification === null ? [] : [{ label: "the model", text: justification, isProse: true }];
      return [{ label: "command", text: command, roles: ["strong"] }, { label: "in", text: cwd }, ...said];
    }
    case "patch.approval":
      return [
        ...question.changes.map(({ kind, path }) => ({ label: kind, text: path })),
        ...question.outsideRoots
          .filter((path) => shortenPath(path, cwd) === path) // the reason names those in the working folder
          .map((path) => ({ label: "outside", text: path, roles: ["warning"] as const })),
      ];
    case "tool.approval": {
      const { server, tool } = question;
      const from = server === null ? [] : [{ label: "server", text: server }];
      const json = question.arguments === undefined ? "nothing" : JSON.stringify(question.arguments, null, 2);
      return [...from, { label: "tool", text: tool }, { label: "with", text: json }];
    }
    case "host.approval":
      return [
        ...question.hosts.map((text) => ({ label: "host", text, roles: ["strong"] as const })),
        { label: "command", text: question.command },
        { label: "in", text: question.cwd },
      ];
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
const tell: DialogChoice = {
  key: "t",
  label: "no, and say what to do instead",
  description: "",
  action: { type: "tell" },
};

function toChoices(question: ApprovalQuestion): readonly DialogChoice[] {
  const isKeepable = question.type !== "tool.approval" || question.isKeepable;
  const whole: Readonly<Record<ApprovalQuestion["type"], string>> = {
    "command.approval": "this command in this folder",
    "patch.approval": "these files",
    "tool.approval": "this tool",
    "host.approval": question.type === "host.approval" && question.hosts.length > 1 ? "these hosts" : "this host",
  };
  const thread: DialogChoice = {
    key: "s",
    label: "yes, for this thread",
    description: whole[question.type],
    action: { type: "answer", answer: { type: "approved.thread" } },
  };
  const once = question.type === "host.approval" ? { ...yes, description: "while this command runs" } : yes;
  return [once, ...(isKeepable ? [thread] : []), ...toEdits(question), ...toAlways(question), no, tell];
}

/** `toScope` says in the question which files this answer covers. */
function toEdits(question: ApprovalQuestion): readonly DialogChoice[] {
  if (question.type !== "patch.approval" || question.editFolders.length === 0) return [];
  return [
    {
      key: "e",
      label: "yes, all edits in this thread",
      description: "",
      action: { type: "answer", answer: { type: "approved.edits" } },
    },
  ];
}

/** The files that "all edits" covers, and until when it holds. */
function toScope(question: ApprovalQuestion): readonly QuestionPart[] {
  if (question.type !== "patch.approval" || question.editFolders.length === 0) return [];
  const files = question.editFolders.includes("/") ? "any file" : `files in ${question.editFolders.join(", ")}`;
  const text = `Patches to ${files}, while the sandbox and the approval policy stay as they are. Not commands.`;
  return [{ label: "all edits", text, isProse: true }];
}

function toAlways(question: ApprovalQuestion): readonly DialogChoice[] {
  if (question.type === "host.approval" && question.endsByRule) {
    const description = "all ports; writes rules to rules/default.rules";
    return [{ key: "a", label: "always", description, action: { type: "answer", answer: { type: "approved.hosts" } } }];
  }
  if (question.type !== "command.approval" || question.proposedPrefix === null) return [];
  const [line] = toAskedLines([{ label: "", text: question.proposedPrefix.join(" ").replaceAll("\n", "\\n") }]);
  const shown = line?.spans.at(-1)?.text ?? "";
  const { proposedEnv } = question;
  const variables = proposedEnv.length === 0 ? "" : `, also with ${proposedEnv.join(", ")} set`;
  return [
    {
      key: "a",
      label: `always allow commands that start with \`${shown}\`${variables}`,
      description: question.alsoAllows ?? "",
      action: { type: "edit_prefix", prefix: question.proposedPrefix },
    },
  ];
}

/** Shows the changes and their cost. */
function toBreakPage(question: PrefixQuestion): DialogPage {
  const { changes, tokens, opened, subject = "model" } = question;
  const parts: readonly QuestionPart[] = [
    ...changes.map((text) => ({ label: "changes", text })),
    ...toReason(question),
  ];
  const own: DialogChoice = {
    key: "o",
    label: `keep the thread's own model (${showHidden(opened.model)})`,
    description: "resends nothing",
    action: { type: "own_model", opened },
  };
  const title = `${breakTitles[subject]} resends about ${pluralize(tokens, "token")} uncached. Switch?`;
  const choices = subject === "model" ? [yes, own, no] : [yes, no];
  return { id: null, title, lines: toAskedLines(parts), choices, input: null };
}

const breakTitles = {
  model: "Switching models",
  account: "Switching accounts",
  fallback: "Continuing with another model",
} as const;
