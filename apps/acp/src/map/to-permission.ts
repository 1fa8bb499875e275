import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { refusalOf, type ApprovalDecision, type ApprovalQuestion, type PrefixQuestion } from "@unroll/protocol";
import { showExact } from "@unroll/text";
import * as z from "zod";
import { toFencedText, toTextContent } from "./text-content.ts";
import { toPatch } from "./to-tool-call.ts";

type Asked = ApprovalQuestion | PrefixQuestion;

/** What a client is asked to put before a person. */
export interface AskedPermission {
  readonly toolCall: ToolCallUpdate;
  readonly options: PermissionOption[];
}

const yes: PermissionOption = { optionId: "once", name: "Yes", kind: "allow_once" };
const no: PermissionOption = { optionId: "no", name: "No", kind: "reject_once" };

/** `freshId`: names a question that no call asks. */
export function toPermission(
  question: Asked,
  { cwd, freshId }: { readonly cwd: string; readonly freshId: string },
): AskedPermission {
  const toolCall = { toolCallId: question.itemId ?? freshId, status: "pending", ...toShown(question, cwd) } as const;
  return { toolCall, options: toOptions(question) };
}

function toShown(question: Asked, cwd: string): Omit<ToolCallUpdate, "toolCallId" | "status"> {
  const asked = toTextContent(`${question.reason}\n\n(Asked by: ${question.askedBy})`);
  switch (question.type) {
    case "command.approval": {
      const { command, justification, isUnconfined } = question;
      const where = isUnconfined ? [toTextContent("It would run outside the sandbox.")] : [];
      const said = justification === null ? [] : [toTextContent(`The model says: ${justification}`)];
      const shown = toTextContent(`${toFencedText(showExact(command))}\nin ${showExact(question.cwd)}`);
      return {
        title: `Run ${command.split("\n", 1)[0] ?? command}${isUnconfined ? " outside the sandbox" : ""}`,
        kind: "execute",
        rawInput: { command, cwd: question.cwd },
        content: [shown, ...where, ...said, asked],
      };
    }
    case "patch.approval": {
      const { content = [], ...shown } = toPatch({ changes: question.changes, diff: question.diff }, { cwd });
      const outside = question.outsideRoots.map((path) => toTextContent(`Outside of what may be written: ${path}`));
      return { ...shown, content: [...content, ...outside, asked] };
    }
    case "tool.approval": {
      const name = question.server === null ? question.tool : `${question.server}: ${question.tool}`;
      const json = question.arguments === undefined ? "" : JSON.stringify(question.arguments, null, 2);
      return {
        title: name,
        kind: "other",
        rawInput: question.arguments,
        content: [toTextContent(toFencedText(json)), asked],
      };
    }
    case "prefix.break": {
      const { changes, tokens } = question;
      const told = [...changes, `about ${tokens} tokens are sent at full price again`];
      return {
        title: "Go on with this conversation from a request that begins anew",
        kind: "other",
        content: [toTextContent(told.map((line) => `- ${line}`).join("\n")), asked],
      };
    }
  }
}

const kept: Readonly<Record<ApprovalQuestion["type"], string>> = {
  "command.approval": "this command in this folder",
  "patch.approval": "these files",
  "tool.approval": "this tool",
};

function toOptions(question: Asked): PermissionOption[] {
  if (question.type === "prefix.break") return [yes, no];
  const isKeepable = question.type !== "tool.approval" || question.isKeepable;
  const name = `Yes, for this conversation: ${kept[question.type]}`;
  const thread: PermissionOption = { optionId: "thread", name, kind: "allow_always" };
  const { proposedPrefix: prefix, proposedEnv } =
    question.type === "command.approval" ? question : { proposedPrefix: null, proposedEnv: [] };
  const variables = proposedEnv.length === 0 ? "" : ` (with ${proposedEnv.join(", ")})`;
  const always: PermissionOption = {
    optionId: "always",
    name: `Yes, always what begins with: ${prefix?.join(" ") ?? ""}${variables}`,
    kind: "allow_always",
  };
  return [yes, ...(isKeepable ? [thread] : []), ...(prefix === null ? [] : [always]), no];
}

const selected = z.object({ outcome: z.object({ outcome: z.literal("selected"), optionId: z.string() }) });

/** What is no option that was given is a no. */
export function toDecision(response: unknown, question: Asked): ApprovalDecision {
  const { data } = selected.safeParse(response);
  const chosen = toOptions(question).find(({ optionId }) => optionId === data?.outcome.optionId)?.optionId;
  if (chosen === "once") return { type: "approved.once" };
  if (chosen === "thread") return { type: "approved.thread" };
  const prefix = question.type === "command.approval" ? question.proposedPrefix : null;
  return chosen === "always" && prefix !== null ? { type: "approved.always", prefix } : refusalOf(question);
}
