import type { ThreadItem } from "@unroll/protocol";
import { showHidden, toPlainText } from "@unroll/text";
import { describeAccount } from "../text/describe-account.ts";
import { describeCall } from "./describe-item.ts";
import { describeRequest } from "./describe-request.ts";
import {
  type AgentDocument,
  agentAuthor,
  type DocumentStep,
  listToolNames,
  type ThreadDocument,
} from "./thread-document.ts";

/**
 * A whole thread as Markdown. Each text stays as it was written, in a fence that it cannot end: shown as Markdown, it
 * could load pictures or pass for a part of the page.
 */
export function renderThreadMarkdown(document: ThreadDocument): string {
  const { threadId, model, provider, head, opening, steps, account, agents } = document;
  const parts = [
    `# Thread ${toLine(threadId)}`,
    `${toLine(model)} of ${toLine(provider)}`,
    "## First messages to the model",
    renderNamed("instructions", head?.instructions ?? "", [`tools: ${toLine(listToolNames(head))}`]),
    ...opening.map(({ role, text }) => renderNamed(role, text)),
    ...steps.map(renderStep),
    ...agents.map(renderAgent),
    "## Usage",
    ...describeAccount(account).map(toLine),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderAgent({ threadId, name, steps, account, missing }: AgentDocument): string {
  return [
    `## Sub-agent ${toLine(name)} (thread ${toLine(threadId)})`,
    ...steps.map((step) => (step.type === "turn" ? `### Turn ${step.turn}` : renderStep(step))),
    ...(missing === null ? [] : [`*${toLine(missing)}*`]),
    ...describeAccount(account).map(toLine),
  ].join("\n\n");
}

function renderStep(step: DocumentStep): string {
  switch (step.type) {
    case "turn":
      return `## Turn ${step.turn}`;
    case "input":
      return renderNamed(step.from === "agent" ? agentAuthor : "user", step.text, countImages(step.images));
    case "item":
      return renderItem(step.item, step.images);
    case "request":
      return `*${toLine(describeRequest(step.row))}*`;
    case "note":
      return `*${toLine(step.text)}*`;
  }
}

function renderItem(item: ThreadItem, images: readonly string[]): string {
  switch (item.type) {
    case "agent_message":
      return renderNamed("assistant", item.text);
    case "reasoning":
      return renderNamed("reasoning", item.text);
    case "web_search":
      return renderNamed("web search", item.query);
    case "todo_list":
      return renderNamed(
        "plan",
        item.items.map(({ text, completed }) => `[${completed ? "x" : " "}] ${text}`).join("\n"),
      );
    case "error":
      return `*${toLine(item.message)}*`;
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "image_view":
    case "tool_call": {
      const { name, form, asked, answered, end } = describeCall(item);
      const question = fence(form === "command" ? `$ ${asked}` : asked, form === "diff" ? "diff" : "");
      const answer = answered === null || answered === "" ? [] : [fence(toPlainText(answered))];
      return [`**${toLine(name)}**`, question, ...answer, ...countImages(images), `*${toLine(end)}*`].join("\n\n");
    }
  }
}

function renderNamed(name: string, text: string, more: readonly string[] = []): string {
  return [`**${toLine(name)}**`, fence(text), ...more].join("\n\n");
}

function countImages(images: readonly string[]): readonly string[] {
  return images.length === 0 ? [] : [`(pictures: ${images.length})`];
}

/** Longer than any row of the same character in the text. */
function fence(text: string, language = ""): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, row) => Math.max(most, row.length), 2);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${showHidden(text.replaceAll("\r\n", "\n")).trimEnd()}\n${mark}`;
}

/** A text between ours: one line, in which nothing is Markdown or HTML. */
function toLine(text: string): string {
  return showHidden(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]<>#|~!&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
