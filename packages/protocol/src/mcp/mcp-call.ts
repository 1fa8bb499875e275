/** A call of a server's tool, by the names that config and server use. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How far a call is, by the server's own measure. */
export interface McpProgress {
  readonly done: number;
  /** Null: not known. */
  readonly total: number | null;
  readonly message: string | null;
}

/** How a call ended. Expected failures are values. */
export type McpCallOutcome = McpCallResult | McpFailure;

/** The server answered; `isError`: the tool itself failed, and `content` says why. */
export interface McpCallResult {
  readonly type: "completed";
  readonly content: readonly McpContent[];
  /** Null: none. */
  readonly structuredContent: unknown;
  readonly isError: boolean;
}

/** There is no answer of the server. */
export interface McpFailure {
  readonly type: "failed";
  readonly code: McpFailureCode;
  /** The failure, where, and what to do; free of credentials. */
  readonly message: string;
}

/** Why a call of an MCP server's tool has no result. */
export type McpFailureCode =
  /** The config has no such server, or it is not enabled. */
  | "unknown_server"
  /** The server has no such tool, or the config keeps it from use. */
  | "unknown_tool"
  /** It could not be started or did not get ready in time. */
  | "not_started"
  /** It wants an OAuth login first, or the login is no longer good. */
  | "login_needed"
  | "timed_out"
  /** By the caller's signal. */
  | "cancelled"
  /** Its process ended before it responded. The effect of the call is unknown. */
  | "server_died"
  /** Its address does not answer, or not as an MCP server. */
  | "unreachable"
  /** The answer is larger than what is kept of one. */
  | "too_large"
  /** The answer is none that the protocol knows. */
  | "invalid_answer"
  /** The server refused the request. */
  | "refused";

/** One part of an answer, in the shape of the wire (MCP, `ContentBlock`); `unknown` is our tag for any other. */
export type McpContent =
  | { readonly type: "text"; readonly text: string }
  /** `data`: base64. */
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource"; readonly resource: McpResourceContents }
  | McpResourceLink
  | { readonly type: "unknown"; readonly value: unknown };

/** A resource that a tool names instead of giving it; as the MCP specification has it. */
export interface McpResourceLink {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** The contents of a resource: text, or bytes as base64 in `blob`. */
export interface McpResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}
