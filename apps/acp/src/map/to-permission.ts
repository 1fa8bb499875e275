import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { listApprovalChoices } from "@unroll/thread-host";
import {
  findRestraint,
  refusalOf,
  type ApprovalDecision,
  type ApprovalQuestion,
  type PrefixQuestion,
} from "@unroll/protocol";
import { showExact } from "@unroll/text";
import * as z from "zod";
import { toFencedText, toTextContent } from "./text-content.ts";
import { toPatch } from "./to-tool-call.ts";

type Asked = ApprovalQuestion | PrefixQuestion;

/** A question as the editor shows it. */
export interface AskedPermission {
  readonly toolCall: ToolCallUpdate;
  readonly options: PermissionOption[];
}

/** `freshId`: names a question that belongs to no call. */
export function toPermission(
  question: Asked,
  { cwd, freshId }: { readonly cwd: string; readonly freshId: string },
): AskedPermission {
  const shown = toShown(question, cwd);
  const title = question.agent === undefined ? shown.title : `Sub-agent ${showExact(question.agent)}: ${shown.title}`;
  const toolCall = { toolCallId: question.itemId ?? freshId, status: "pending", ...shown, title } as const;
  const options = listApprovalChoices(question).map(({ id, title }) => ({
    optionId: id,
    name: title,
    kind: kinds[id],
  }));
  return { toolCall, options };
}

type ShownQuestion = Omit<ToolCallUpdate, "toolCallId" | "status" | "title"> & { readonly title: string };

function toShown(question: Asked, cwd: string): ShownQuestion {
  const asker = question.agent === undefined ? "" : `sub-agent ${showExact(question.agent)}, `;
  const asked = toTextContent(`${question.reason}\n\n(Asked by: ${asker}${question.askedBy})`);
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
      const outside = question.outsideRoots.map((path) => toTextContent(`Outside the writable folders: ${path}`));
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
    case "host.approval": {
      const { command, hosts } = question;
      return {
        title: `Reach ${hosts.join(", ")}`,
        kind: "fetch",
        rawInput: { command, cwd: question.cwd, hosts },
        content: [toTextContent(`${toFencedText(showExact(command))}\nin ${showExact(question.cwd)}`), asked],
      };
    }
    case "prefix.break": {
      const { changes, tokens } = question;
      const told = [...changes, `about ${tokens} tokens are sent again, uncached`];
      return {
        title: "Resume this thread without its cache",
        kind: "other",
        content: [toTextContent(told.map((line) => `- ${line}`).join("\n")), asked],
      };
    }
  }
}

const kinds = { once: "allow_once", thread: "allow_always", always: "allow_always", no: "reject_once" } as const;

const selected = z.object({ outcome: z.object({ outcome: z.literal("selected"), optionId: z.string() }) });

/** Anything that is not an offered option is a denial, and so is one with a limit that nobody would keep. */
export function toDecision(response: unknown, question: Asked): ApprovalDecision {
  if (findRestraint(response) !== null) return refusalOf(question);
  const { data } = selected.safeParse(response);
  const chosen = listApprovalChoices(question).find(({ id }) => id === data?.outcome.optionId);
  return chosen?.decision ?? refusalOf(question);
}
