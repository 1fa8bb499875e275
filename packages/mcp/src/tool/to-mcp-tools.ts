import type { McpTool, McpToolAdaptedEvent } from "@unroll/protocol";
import * as z from "zod";
import { cleanInputSchema, type CleanedSchema } from "./clean-input-schema.ts";
import { type ToolName, toToolNames } from "./tool-names.ts";

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly title?: string | undefined }
    | undefined;
  readonly execution?: { readonly taskSupport?: string | undefined } | undefined;
  /** Why it cannot be called over this connection. Absent: it can. */
  readonly fault?: string | undefined;
}

/** Accepts extra members, and errors in everything but the name. */
export const listedToolSchema: z.ZodType<ListedTool> = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().optional(), title: z.string().optional() })
    .optional()
    .catch(undefined),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
});

/** Which tools of a server are used. */
export interface ToolFilter {
  readonly id: string;
  readonly enabledTools: readonly string[] | null;
  readonly disabledTools: readonly string[];
}

export interface McpToolList {
  /** Sorted by name. */
  readonly tools: readonly McpTool[];
  /** One event for each tool that is left out or renamed, except those that the filter removes. */
  readonly adapted: readonly McpToolAdaptedEvent[];
}

export function isToolEnabled({ enabledTools, disabledTools }: ToolFilter, tool: string): boolean {
  return (enabledTools?.includes(tool) ?? true) && !disabledTools.includes(tool);
}

type Mask = (text: string) => string;

/** Converts a server's list into tools for the model. `mask` masks credentials in descriptions; a tool with one in its name is left out. */
export function toMcpTools(filter: ToolFilter, listed: readonly ListedTool[], mask: Mask): McpToolList {
  const byName = new Map(listed.filter(({ name }) => isToolEnabled(filter, name)).map((tool) => [tool.name, tool]));
  const adapted = toToolNames(filter.id, [...byName.keys()]).flatMap((name) => {
    const tool = byName.get(name.tool);
    return tool === undefined ? [] : [adaptTool(tool, { ...name, server: filter.id, mask })];
  });
  return {
    tools: sortByName(adapted.flatMap(({ tool }) => tool ?? [])),
    adapted: adapted.flatMap(({ event }) => event ?? []),
  };
}

/** By code units, so that the order is the same on every machine. */
export function sortByName(tools: readonly McpTool[]): readonly McpTool[] {
  return tools.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

interface AdaptedTool {
  /** Null: left out. */
  readonly tool: McpTool | null;
  /** Null: unchanged. */
  readonly event: McpToolAdaptedEvent | null;
}

interface AdaptedName extends ToolName {
  readonly server: string;
  readonly mask: Mask;
}

function adaptTool(listed: ListedTool, { tool, name, reason, server, mask }: AdaptedName): AdaptedTool {
  const event = { type: "mcp.tool_adapted", server, tool: mask(tool) } as const;
  if (event.tool !== tool || mask(name) !== name)
    return { tool: null, event: { ...event, name: null, reason: "its name holds a credential" } };
  const cleaned = cleanTool(listed);
  if (cleaned.type === "rejected") return { tool: null, event: { ...event, name: null, reason: cleaned.reason } };
  return {
    tool: {
      name,
      server,
      tool,
      description: mask(listed.description ?? listed.title ?? ""),
      parameters: cleaned.schema,
      readOnly: listed.annotations?.readOnlyHint === true,
    },
    event: reason === null ? null : { ...event, name, reason },
  };
}

function cleanTool({ execution, inputSchema, fault }: ListedTool): CleanedSchema {
  if (fault !== undefined) return { type: "rejected", reason: fault };
  if (execution?.taskSupport === "required") {
    return { type: "rejected", reason: "it can only be run as a task, which is not supported" };
  }
  return cleanInputSchema(inputSchema);
}
