import type { ResponseItem } from "@unroll/protocol";

type Message = Extract<ResponseItem, { readonly type: "message" }>;

/** Whether a person said it: what a harness says for the user stands in tags, or below a title of its own. */
export function isSaid(item: ResponseItem): item is Message {
  return item.type === "message" && item.role === "user" && !/^(?:<[a-z_]+>|# AGENTS\.md )/.test(readMessage(item));
}

export function readMessage({ content }: Message): string {
  return content.map((part) => ("text" in part ? part.text : "")).join("");
}
