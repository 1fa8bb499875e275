import type { ApprovalDecision, ApprovalQuestion, CommandQuestion } from "@unroll/protocol";
import { readPrefix, toOneLine } from "../../dialog/read-prefix.ts";
import type { Terminal } from "../terminal.ts";
import type { AskedPart } from "./lay-out.ts";
import { showAsked } from "./show-asked.ts";

/** Asks whether something may be done. Leaving the question (^C, ^D) is a no. */
export async function askApproval(
  terminal: Terminal,
  question: ApprovalQuestion,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const reason = [
    { label: "asked by", text: question.askedBy },
    { label: "why", text: question.reason },
  ];
  const asked = { title: toTitle(question), parts: [...toParts(question), ...reason] };
  if (!(await showAsked(terminal, asked, signal))) return { type: "denied", reason: null };
  for (;;) {
    const key = await terminal.askFresh(`  ${renderKeys(question)} `, { signal });
    signal.throwIfAborted();
    switch (key?.trim().toLowerCase() ?? null) {
      case "y":
        return { type: "approved.once" };
      case "s":
        if (isKeepable(question)) return { type: "approved.thread" };
        break;
      case null:
        return { type: "denied", reason: null };
      case "n":
        return { type: "denied", reason: await askInstead(terminal, signal) };
      case "a": {
        const always = hasPrefix(question) ? await askPrefix(terminal, question, signal) : null;
        if (always !== null) return always;
      }
    }
  }
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
      const said = justification === null ? [] : [{ label: "the model", text: justification }];
      return [{ label: "command", text: command }, { label: "in", text: cwd }, ...said];
    }
    case "patch.approval":
      return [
        ...question.changes.map(({ kind, path }) => ({ label: kind, text: path })),
        ...question.outsideRoots.map((path) => ({ label: "outside", text: path })),
        ...(question.diff === "" ? [] : [{ label: "diff", text: question.diff.trimEnd() }]),
      ];
    case "tool.approval": {
      const { server, tool } = question;
      const from = server === null ? [] : [{ label: "server", text: server }];
      return [...from, { label: "tool", text: tool }, { label: "with", text: toJson(question.arguments) }];
    }
  }
}

function toJson(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value, null, 2);
}

type PrefixQuestion = CommandQuestion & { readonly proposedPrefix: readonly string[] };

function hasPrefix(question: ApprovalQuestion): question is PrefixQuestion {
  return question.type === "command.approval" && question.proposedPrefix !== null;
}

function renderKeys(question: ApprovalQuestion): string {
  const always = hasPrefix(question) ? ` [a] always for \`${toOneLine(question.proposedPrefix.join(" "))} …\`` : "";
  const thread = isKeepable(question) ? " [s] for this thread" : "";
  return `[y] yes${thread}${always} [n] no:`;
}

function isKeepable(question: ApprovalQuestion): boolean {
  return question.type !== "tool.approval" || question.isKeepable;
}

/** Goes to the model; null where the person says nothing. */
async function askInstead(terminal: Terminal, signal: AbortSignal): Promise<string | null> {
  const text = await terminal.ask("  What to do instead? ", { signal });
  signal.throwIfAborted();
  return text === null || text.trim() === "" ? null : text;
}

/** The prefix, edited, with what else it lets run; null: back to the question. */
async function askPrefix(
  terminal: Terminal,
  question: PrefixQuestion,
  signal: AbortSignal,
): Promise<ApprovalDecision | null> {
  const prefill = question.proposedPrefix.join(" ");
  const text = await terminal.ask("  Always allow what starts with: ", { signal, prefill });
  const read = readPrefix(text ?? "", question);
  if (read.type === "refused") {
    terminal.say(`  ${read.message}`);
    return null;
  }
  terminal.say(`  ${read.allows}${read.warning === null ? "" : `\n  Careful: ${read.warning}`}`);
  const isSure = await terminal.askFresh("  Write this rule? [y/n] ", { signal });
  signal.throwIfAborted();
  return isSure?.trim().toLowerCase() === "y" ? { type: "approved.always", prefix: read.prefix } : null;
}
