import { showHidden, toPlainText } from "@unroll/text";
import { describeAccount } from "../text/describe-account.ts";
import { describeCallEnd } from "./describe-call.ts";
import { describeRequest } from "./describe-request.ts";
import { type DocumentStep, listToolNames, type ThreadDocument } from "./thread-document.ts";

/**
 * A whole thread as Markdown. What anybody wrote stands in fences that it cannot end, as it was written: shown as
 * Markdown, it could load pictures or pass for a part of the page.
 */
export function renderThreadMarkdown(document: ThreadDocument): string {
  const { threadId, model, provider, head, opening, steps, account } = document;
  const parts = [
    `# Thread ${toLine(threadId)}`,
    `${toLine(model)} of ${toLine(provider)}`,
    "## What the model was told first",
    renderNamed("instructions", head?.instructions ?? "", [`tools: ${toLine(listToolNames(head))}`]),
    ...opening.map(renderStep),
    ...steps.map(renderStep),
    "## What it used",
    ...describeAccount(account).map(toLine),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderStep(step: DocumentStep): string {
  switch (step.type) {
    case "turn":
      return `## Turn ${step.turn}`;
    case "message":
      return renderNamed(step.role, step.text, countImages(step.images));
    case "reasoning":
      return renderNamed("reasoning", step.text);
    case "call": {
      const text = step.form === "command" ? `$ ${step.text}` : step.text;
      const asked = fence(text, step.form === "patch" ? "diff" : "");
      const answered = step.output === null ? "It has no output." : fence(toPlainText(step.output));
      const end = describeCallEnd(step.ended);
      const ended = end === null ? [] : [`*${toLine(end)}*`];
      return [`**${toLine(step.tool)}**`, asked, answered, ...countImages(step.images), ...ended].join("\n\n");
    }
    case "search":
      return renderNamed("web search", step.query);
    case "other":
      return `(an item of type ${toLine(step.itemType)})`;
    case "request":
      return `*${toLine(describeRequest(step.row))}*`;
    case "epoch":
      return `*The transcript begins anew with ${step.items} items: ${toLine(step.cause)}.*`;
    case "undone":
      return "*That was undone: what was before is sent again.*";
    case "ended":
      return `*${toLine(step.how)}*`;
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
