import type { CustomToolSpec, FunctionToolSpec, RequestForm, ToolSpec } from "@unroll/protocol";

/**
 * The tools that a server of this form takes, in their order: freeform tools as functions whose one argument `input` is the text, and no
 * hosted search where there is none. `known`: functions to be taken in the place of freeform tools of the same name.
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
