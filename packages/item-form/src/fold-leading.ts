import type { ItemForm, ResponseItem } from "@unroll/protocol";
import { readText } from "./wire/lower-content.ts";
import { hasOneSystemText, isOfDeveloper } from "./wire/lower-message.ts";

/**
 * The instructions of a thread that begins with these items: with the developer messages in front, where the server takes one system
 * text. A writer that begins there does not send those again. Instructions that end with them already stay as they are.
 */
export function foldLeading(instructions: string, items: readonly ResponseItem[], form: ItemForm): string {
  if (!hasOneSystemText(form)) return instructions;
  const end = items.findIndex((item) => !isOfDeveloper(item));
  const leading = items.slice(0, end === -1 ? items.length : end);
  const texts = leading.flatMap((item) => (item.type === "message" ? [item.content.map(readText).join("\n")] : []));
  const folded = texts.filter((text) => text !== "").join("\n\n");
  const isThere = instructions === folded || instructions.endsWith(`\n\n${folded}`);
  return isThere || folded === "" ? instructions : [instructions, folded].filter((text) => text !== "").join("\n\n");
}
