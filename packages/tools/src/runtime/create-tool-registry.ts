import { checkShape } from "@unroll/text";
import type { ToolSpec } from "@unroll/protocol";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import { noUnlistedTools, type UnlistedTools } from "../tool/unlisted-tools.ts";
import { checkToolName } from "../tool/define-planned-tool.ts";
import type { CallableTool, Tool } from "../tool/tool.ts";

/** The tools of a thread, in one order that never changes. */
export interface ToolRegistry {
  readonly specs: readonly ToolSpec[];
  /** Tools that run here; the provider runs the others. */
  readonly callable: ReadonlyMap<string, CallableTool>;
  readonly unlisted: UnlistedTools;
}

/** Keeps the order given; `unlisted` are run beside them. Throws a `TypeError` for a name that the Responses API refuses or that comes twice. Throws what `toJsonSchema` throws of a schema that `defineTool` could not write. */
export function createToolRegistry(tools: readonly Tool[], unlisted: UnlistedTools = noUnlistedTools): ToolRegistry {
  checkShape("createToolRegistry", { tools }, { tools: "a list" });
  const names = new Set<string>();
  for (const { name } of tools) {
    checkToolName(name);
    if (names.has(name)) throw new TypeError(`Tool name "${name}" is given to two tools: rename one of them.`);
    names.add(name);
  }
  const settled = tools.map((tool) => (tool.type === "callable" ? settle(tool) : tool));
  const callable = settled.filter((tool) => tool.type === "callable");
  return {
    specs: settled.map((tool) => tool.spec),
    callable: new Map(callable.map((tool) => [tool.name, tool])),
    unlisted: { ...unlisted, kept: unlisted.kept.map(settle) },
  };
}

function settle(tool: CallableTool): CallableTool {
  return tool.writtenBy?.(toJsonSchema) ?? tool;
}
