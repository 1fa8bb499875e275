import type { Client, Request, RequestOptions, Tool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { type ListedTool, listedToolSchema } from "../tool/to-mcp-tools.ts";
import { parseContent, resourceContentsSchema } from "./parse-content.ts";
import { ServerFault } from "../fault/server-fault.ts";
import type { Connection } from "./connection.ts";
import { toServerFault } from "../fault/to-server-fault.ts";
import { isStateless } from "./is-stateless.ts";
import { maxPages } from "./create-client.ts";
import { longestTimerMs } from "./with-deadline.ts";

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

/** The requests that are made of a server, over a client that has greeted it. */
export type ConnectionRequests = Pick<Connection, "listTools" | "callTool" | "listResources" | "readResource">;

/** `explain` may know more of a fault than its request does. */
export function createConnectionRequests(
  client: Client,
  explain: (fault: ServerFault) => Promise<ServerFault>,
): ConnectionRequests {
  /** Of a server without a state: what the headers of a call are made by. Not what it says of its output, which is not held against it. */
  let headed: ReadonlyMap<string, Tool> = new Map();

  async function explained<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw await explain(toServerFault(error));
    }
  }

  function request<Result>(
    message: Request,
    schema: z.ZodType<Result>,
    options: RequestOptions & { readonly signal: AbortSignal },
  ): Promise<Result> {
    return explained(() => client.request(message, schema, { ...options, timeout: longestTimerMs }));
  }

  async function listTools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    if (isStateless(client)) {
      // The SDK's own list leaves out tools that no headers can be made for.
      const options = { signal, timeout: longestTimerMs, cacheMode: "refresh" } as const;
      const { tools } = await explained(() => client.listTools(undefined, options));
      headed = new Map(tools.map(({ name, inputSchema }) => [name, { name, inputSchema }]));
      return tools.flatMap(toListed);
    }
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await request({ method: "tools/list", params }, toolPageSchema, { signal });
      tools.push(...result.tools.flatMap(toListed));
      if (!result.nextCursor || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return tools;
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
      const { content, structuredContent, isError } = isStateless(client)
        ? callResultSchema.parse(await explained(() => client.callTool(params, { ...options, ...definitionOf(tool) })))
        : await request({ method: "tools/call", params }, callResultSchema, options);
      return { type: "completed", content: content.map(parseContent), structuredContent, isError };
    },
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

/** Empty where it has no name. */
function toListed(tool: unknown): readonly ListedTool[] {
  const listed = listedToolSchema.safeParse(tool);
  return listed.success ? [listed.data] : [];
}
