import { readAuthor, readTexts, readUserInput, type ResponseItem } from "@unroll/protocol";

type Message = Extract<ResponseItem, { readonly type: "message" }>;

/** Whether you wrote it. */
export function isSaid(item: ResponseItem): item is Message {
  return readAuthor(item).type === "user";
}

export function readMessage({ content }: Message): string {
  return readTexts(content).join("");
}

/** Without what the program wrote around it. */
export function readSaid(message: Message): string {
  return (readUserInput(message) ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}
