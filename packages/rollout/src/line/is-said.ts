import type { ResponseItem } from "@unroll/protocol";

type Message = Extract<ResponseItem, { readonly type: "message" }>;

const ownOpening = /^(?:<[a-z_]+>|# AGENTS\.md )/;

/** Whether a person said it: what a harness says for the user stands in tags, or below a title of its own. */
export function isSaid(item: ResponseItem): item is Message {
  return item.type === "message" && item.role === "user" && isSaidText(readMessage(item));
}

function isSaidText(text: string): boolean {
  return !ownOpening.test(text);
}

export function readMessage(message: Message): string {
  return readTexts(message).join("");
}

/** Without what a harness wrote behind what was said. */
export function readSaid(message: Message): string {
  return readTexts(message).filter(isSaidText).join("");
}

function readTexts({ content }: Message): readonly string[] {
  return content.map((part) => ("text" in part ? part.text : ""));
}
