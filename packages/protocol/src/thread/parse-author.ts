import { type ResponseItem } from "../item/response-item.ts";
import { withAuthor } from "./item-author.ts";

/** The item with the author that plain data says; as it is where that says nothing that is known. */
export function parseAuthor(item: ResponseItem, author: unknown): ResponseItem {
  if (item.type !== "message" || typeof author !== "object" || author === null) return item;
  const { type, parts, fragment } = author as Readonly<Record<string, unknown>>;
  if (type === "tool") return withAuthor(item, { type });
  if (type === "harness" && typeof fragment === "string") return withAuthor(item, { type, fragment });
  if (type !== "user" || !Array.isArray(parts)) return item;
  return withAuthor(item, { type, parts: parts.filter((part) => typeof part === "number") });
}
