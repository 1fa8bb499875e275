import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ClientRequest } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { type ListedTool, listedToolSchema } from "../tool/to-mcp-tools.ts";
import { parseContent, resourceContentsSchema } from "./parse-content.ts";
import { ServerFault } from "../fault/server-fault.ts";
import type { Connection } from "./connection.ts";
import { toServerFault } from "../fault/to-server-fault.ts";
import { longestTimerMs } from "./with-deadline.ts";

/** A server that lists more than this is not read to the end. */
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

/** The requests that are made of a server, over a client that has greeted it. */
export type ConnectionRequests = Pick<Connection, "listTools" | "callTool" | "listResources" | "readResource">;

/** `explain` may know more of a fault than its request does. */
export function createConnectionRequests(
  client: Client,
  explain: (fault: ServerFault) => Promise<ServerFault>,
): ConnectionRequests {
  async function request<Schema extends z.ZodObject>(
    message: ClientRequest,
    schema: Schema,
    options: RequestOptions & { readonly signal: AbortSignal },
  ): Promise<z.output<Schema>> {
    try {
      return await client.request(message, schema, { ...options, timeout: longestTimerMs });
    } catch (error) {
      throw await explain(toServerFault(error));
    }
  }

  async function listTools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await request({ method: "tools/list", params }, toolPageSchema, { signal });
      tools.push(...result.tools.flatMap((tool) => listedToolSchema.safeParse(tool).data ?? []));
      if (!result.nextCursor || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return tools;
  }

  return {
    listTools,
    async callTool({ tool, arguments: input }, { signal, onProgress }) {
      const onprogress: RequestOptions["onprogress"] = ({ progress, total, message }) =>
        onProgress({ done: progress, total: total ?? null, message: message ?? null });
      const message = { method: "tools/call", params: { name: tool, arguments: { ...input } } } as const;
      const { content, structuredContent, isError } = await request(message, callResultSchema, { signal, onprogress });
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
