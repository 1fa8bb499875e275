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

/**
 * A tool as a thread's model knows it, by the thread's list of tools or a later message. Stored
 * with the thread.
 */
export interface KnownMcpTool extends Pick<McpTool, "name" | "server" | "tool"> {
  /** Stands for the input schema that the model was given: two schemas that take the same arguments have one mark. */
  readonly mark: string;
}

/**
 * How the tools of one server differ from those that the model knows: for a message, because the
 * thread's list stays. At least one list is not empty.
 */
export interface McpAnnouncement {
  readonly server: string;
  /** Of `added`. `late`: the thread's list was settled before they came. `size`: their schemas are too large for it. */
  readonly reason: "late" | "size";
  /** Tools that the model does not know. */
  readonly added: readonly McpTool[];
  /** Tools whose arguments have changed. */
  readonly changed: readonly McpTool[];
  /** Tools that the model knows and that cannot be called any more. */
  readonly removed: readonly Pick<McpTool, "name" | "server" | "tool">[];
}
