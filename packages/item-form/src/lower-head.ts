import type { ItemForm, ResponseItem, CustomToolSpec, FunctionToolSpec, RequestForm, ToolSpec } from "@unroll/protocol";
import { readText, hasOneSystemText, isOfDeveloper } from "./wire/lower-message.ts";

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

/**
 * The tools that a server of this form accepts, in their order: freeform tools as functions whose
 * only argument `input` is the text, and no hosted search if the server has none. `known`:
 * functions that replace freeform tools of the same name.
 */
export function lowerTools(
  tools: readonly ToolSpec[],
  { customTools, webSearch }: Pick<RequestForm, "customTools" | "webSearch">,
  known: readonly FunctionToolSpec[] = [],
): readonly ToolSpec[] {
  if (customTools && webSearch) return tools;
  return tools.flatMap((tool): readonly ToolSpec[] => {
    if (tool.type === "web_search") return webSearch ? [tool] : [];
    if (tool.type !== "custom" || customTools) return [tool];
    return [known.find(({ name }) => name === tool.name) ?? toFunction(tool)];
  });
}

function toFunction({ name, description, format }: CustomToolSpec): FunctionToolSpec {
  const input = { type: "string", description: `Plain text by this ${format.syntax} grammar:\n${format.definition}` };
  const parameters = { type: "object", properties: { input }, required: ["input"], additionalProperties: false };
  return { type: "function", name, description, strict: false, parameters };
}
