import { describeApproval } from "@unroll/cells";
import { refusalOf, type ApprovalDecision, type ApprovalQuestion, type CommandQuestion } from "@unroll/protocol";
import { readPrefix, toOneLine } from "../../dialog/read-prefix.ts";
import type { Terminal } from "../terminal.ts";
import type { PlainPart } from "./lay-out.ts";
import { showAsked } from "./show-asked.ts";

/** Asks whether something may be done. Leaving the question (^C, ^D) is a no. */
export async function askApproval(
  terminal: Terminal,
  question: ApprovalQuestion,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const { title, parts, reason } = describeApproval(question);
  const asked = [...parts, ...toDiff(question), ...reason];
  if (!(await showAsked(terminal, { title, parts: asked }, signal))) return refusalOf(question);
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
        return refusalOf(question);
      case "n":
        return { type: "denied", reason: await askInstead(terminal, signal) };
      case "a": {
        const always = hasPrefix(question) ? await askPrefix(terminal, question, signal) : null;
        if (always !== null) return always;
      }
    }
  }
}

function toDiff(question: ApprovalQuestion): readonly PlainPart[] {
  if (question.type !== "patch.approval" || question.diff === "") return [];
  return [{ label: "diff", text: question.diff.trimEnd() }];
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
