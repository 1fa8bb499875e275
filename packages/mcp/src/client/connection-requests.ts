import { longestTimerMs } from "@unroll/flow";
import type { Client, Request, RequestOptions, Tool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { findHeaderFault } from "../tool/find-header-fault.ts";
import { type ListedTool, listedToolSchema } from "../tool/to-mcp-tools.ts";
import { parseContent, resourceContentsSchema } from "./parse-content.ts";
import { ServerFault } from "../fault/server-fault.ts";
import type { Connection } from "./connection.ts";
import { toServerFault } from "../fault/to-server-fault.ts";

/** Pages beyond this number are not read. */
const maxPages = 100;

const toolPageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().default(null),
  isError: z.boolean().default(false),
});
const entrySchema = z.record(z.string(), z.unknown());
const resourcePageSchema = z.looseObject({ resources: z.array(entrySchema), nextCursor: z.string().nullish() });
const templatePageSchema = z.looseObject({ resourceTemplates: z.array(entrySchema), nextCursor: z.string().nullish() });
const readResultSchema = z.looseObject({ contents: z.array(resourceContentsSchema) });

/** The requests to a server, over a client that has been greeted. */
export type ConnectionRequests = Pick<Connection, "listTools" | "callTool" | "listResources" | "readResource">;

interface RequestParts {
  readonly client: Client;
  /** May know more about a fault than its request does. */
  readonly explain: (fault: ServerFault) => Promise<ServerFault>;
  /** Whether a tool's schema may turn arguments into headers too: over HTTP, for a stateless server. */
  readonly isHeaded: boolean;
}

export function createConnectionRequests({ client, explain, isHeaded }: RequestParts): ConnectionRequests {
  /** The tools whose calls need headers. A tool's output schema is not enforced. */
  let headed: ReadonlyMap<string, Tool> = new Map();

  async function explained<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw await explain(toServerFault(error));
    }
  }

  const request: SendRequest = (message, schema, options) =>
    explained(() => client.request(message, schema, { ...options, timeout: longestTimerMs }));

  async function listTools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await request({ method: "tools/list", params }, toolPageSchema, { signal });
      tools.push(...result.tools.flatMap(toListed));
      if (!result.nextCursor || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    if (!isHeaded) return tools;
    headed = new Map(tools.flatMap(toDefinition).map((tool) => [tool.name, tool]));
    return tools.map((tool) => ({ ...tool, fault: findHeaderFault(tool.inputSchema) ?? undefined }));
  }

  function definitionOf(name: string): { readonly toolDefinition?: Tool } {
    const toolDefinition = headed.get(name);
    return toolDefinition === undefined ? {} : { toolDefinition };
  }

  return {
    listTools,
    async callTool({ tool, arguments: input }, { signal, onProgress }) {
      const onprogress: RequestOptions["onprogress"] = ({ progress, total, message }) =>
        onProgress({ done: progress, total: total ?? null, message: message ?? null });
      const params = { name: tool, arguments: { ...input } };
      const options = { signal, onprogress, timeout: longestTimerMs };
      const { content, structuredContent, isError } = isHeaded
        ? callResultSchema.parse(await explained(() => client.callTool(params, { ...options, ...definitionOf(tool) })))
        : await request({ method: "tools/call", params }, callResultSchema, options);
      return { type: "completed", content: content.map(parseContent), structuredContent, isError };
    },
    ...createResourceRequests(client, request),
  };
}

type SendRequest = <Result>(
  message: Request,
  schema: z.ZodType<Result>,
  options: RequestOptions & { readonly signal: AbortSignal },
) => Promise<Result>;

function createResourceRequests(
  client: Client,
  request: SendRequest,
): Pick<Connection, "listResources" | "readResource"> {
  return {
    async listResources({ kind, cursor }, signal) {
      if (client.getServerCapabilities()?.resources === undefined) return { entries: [], nextCursor: null };
      const params = cursor === null ? {} : { cursor };
      if (kind === "templates") {
        const page = await request({ method: "resources/templates/list", params }, templatePageSchema, { signal });
        return { entries: page.resourceTemplates, nextCursor: page.nextCursor ?? null };
      }
      const page = await request({ method: "resources/list", params }, resourcePageSchema, { signal });
      return { entries: page.resources, nextCursor: page.nextCursor ?? null };
    },
    async readResource(uri, signal) {
      if (client.getServerCapabilities()?.resources === undefined)
        throw new ServerFault("refused", "it has no resources");
      return (await request({ method: "resources/read", params: { uri } }, readResultSchema, { signal })).contents;
    },
  };
}

/** Empty for a tool without a name. */
function toListed(tool: unknown): readonly ListedTool[] {
  const listed = listedToolSchema.safeParse(tool);
  return listed.success ? [listed.data] : [];
}

const definitionSchema = z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal("object") }) });

/** The part of a tool that the SDK needs to make headers; empty if its schema is not one. */
function toDefinition(tool: ListedTool): readonly Tool[] {
  const definition = definitionSchema.safeParse({ name: tool.name, inputSchema: tool.inputSchema });
  return definition.success ? [definition.data] : [];
}
