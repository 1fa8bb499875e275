import type { UserInputPart } from "../event/user-input.ts";
import { type ItemAuthor, itemAuthor, type MessageItem, type ResponseItem } from "../item/response-item.ts";
import { isToolOutput } from "../item/tool-call.ts";

/**
 * The author of an item. Without a recorded author, the role decides: `user` is you, `assistant`
 * the model, any other the harness.
 */
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

/** The same message with its author, which is not part of its data: copies, comparisons and JSON lack it. */
export function withAuthor(message: MessageItem, author: ItemAuthor): MessageItem {
  return Object.defineProperty({ ...message }, itemAuthor, { value: author });
}

/**
 * Your own text and images in an item, without the program's text around them; null: you did not
 * write it.
 */
export function readUserInput(item: ResponseItem): readonly UserInputPart[] | null {
  const author = readAuthor(item);
  if (author.type !== "user" || item.type !== "message") return null;
  return author.parts.flatMap((index): readonly UserInputPart[] => {
    const part = item.content[index];
    if (part === undefined) return [];
    if (part.type === "input_image") return [{ type: "image", dataUrl: part.image_url }];
    const from = author.from && { from: author.from };
    return "text" in part ? [{ type: "text", text: part.text, ...from }] : [];
  });
}
