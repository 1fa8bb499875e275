import type { UserInputPart } from "../event/user-input.ts";
import { type ItemAuthor, itemAuthor, type MessageItem, type ResponseItem } from "../item/response-item.ts";
import { isToolOutput } from "../item/tool-call.ts";

/** Who wrote an item. A message that does not say so is its role's: yours as `user`, the model's as `assistant`, else the harness's. */
export function readAuthor(item: ResponseItem): ItemAuthor {
  if (item.type !== "message") return isToolOutput(item) ? { type: "tool" } : { type: "model" };
  const told = item[itemAuthor];
  if (told !== undefined) return told;
  switch (item.role) {
    case "user":
      return { type: "user", parts: item.content.map((_, index) => index) };
    case "assistant":
      return { type: "model" };
    case "developer":
    case "system":
      return { type: "harness", fragment: "other" };
  }
}

/** The same message, with its author; that is no part of its data: copies, comparisons and JSON do not have it. */
export function withAuthor(message: MessageItem, author: ItemAuthor): MessageItem {
  return Object.defineProperty({ ...message }, itemAuthor, { value: author });
}

/** What you said in an item, without what the program wrote around it; null: you did not write it. */
export function readUserInput(item: ResponseItem): readonly UserInputPart[] | null {
  const author = readAuthor(item);
  if (author.type !== "user" || item.type !== "message") return null;
  return author.parts.flatMap((index): readonly UserInputPart[] => {
    const part = item.content[index];
    if (part === undefined) return [];
    if (part.type === "input_image") return [{ type: "image", dataUrl: part.image_url }];
    return "text" in part ? [{ type: "text", text: part.text }] : [];
  });
}
