import type { JsonSchema } from "../request/tool-spec.ts";

/**
 * A tool of an MCP server as the model sees it. Plain data: a thread stores the tools it began with, to offer exactly
 * these again after a resume.
 */
export interface McpTool {
  /** `mcp__server__tool`, 1 to 64 of `A-Z a-z 0-9 _ -`; unique among all servers. */
  readonly name: string;
  /** The server's id in the config. */
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** Empty where the server gave none. */
  readonly description: string;
  /** The server's input schema in what the Responses API takes of JSON Schema. */
  readonly parameters: JsonSchema;
  /** The server says that a call changes nothing. A hint, no promise. */
  readonly readOnly: boolean;
}

/** Tools that the model has to be told of by a message, because they are not in the thread's list of tools. */
export interface McpAnnouncement {
  readonly server: string;
  /** `late`: the server came up after the first request. `size`: its schemas are too large for the list. */
  readonly reason: "late" | "size";
  /** Never empty. */
  readonly tools: readonly McpTool[];
}
