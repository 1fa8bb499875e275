import type { McpFailure, McpResourceContents } from "./mcp-call.ts";

/** Which resources or resource templates to list. */
export interface McpResourceQuery {
  readonly kind: "resources" | "templates";
  /** Null: of all servers that are up, without paging. */
  readonly server: string | null;
  /** The `nextCursor` of the page before; null: the first one. */
  readonly cursor: string | null;
}

/** The resources of one MCP server or of all, or why there are none. */
export type McpResourceList =
  | {
      readonly type: "listed";
      /** As the servers describe them (MCP, `Resource` and `ResourceTemplate`), each with its `server`. */
      readonly entries: readonly Readonly<Record<string, unknown>>[];
      /** Null: the last page. */
      readonly nextCursor: string | null;
      /** Servers that could not be asked. */
      readonly failures: readonly { readonly server: string; readonly message: string }[];
    }
  | McpFailure;

/** One resource may have several parts. */
export type McpResourceOutcome =
  | { readonly type: "read"; readonly contents: readonly McpResourceContents[] }
  | McpFailure;
