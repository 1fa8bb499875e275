/** One MCP server to connect to. What `@unroll/config` reads of `[mcp_servers.ID]` fits, once its variables are looked up. */
export type McpServerOptions = McpStdioServerOptions | McpHttpServerOptions;

/** A credential that is asked for where it is used, and kept nowhere else. */
export interface SecretText {
  reveal(): string;
}

export interface McpServerCommonOptions {
  readonly id: string;
  /** False: as if it were not there. */
  readonly enabled: boolean;
  /** Whether a thread cannot start without it. */
  readonly required: boolean;
  /** In ms, from the start until its tools are known. */
  readonly startupTimeoutMs: number;
  /** In ms, of one tool call; time in which it waits for a person's answer does not count. */
  readonly toolTimeoutMs: number;
  /** By the server's own names. Null: all of its tools. */
  readonly enabledTools: readonly string[] | null;
  /** Taken away after `enabledTools`. */
  readonly disabledTools: readonly string[];
}

/** A program that is started and spoken to over its stdin and stdout. */
export interface McpStdioServerOptions extends McpServerCommonOptions {
  readonly type: "stdio";
  /** Looked up on the server's PATH unless it is a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** What a program needs anyhow (PATH, HOME, LANG…); no credential. */
  readonly inheritedEnv: Readonly<Record<string, string>>;
  /** Added to it for this server. With `inheritedEnv` it is the whole environment. */
  readonly env: Readonly<Record<string, SecretText>>;
}

/** A server that is spoken to over streamable HTTP. */
export interface McpHttpServerOptions extends McpServerCommonOptions {
  readonly type: "http";
  /** With its query, in which services like to put keys. */
  readonly url: SecretText;
  /** `url` without query, fragment and user name, for messages. */
  readonly address: string;
  readonly headers: Readonly<Record<string, SecretText>>;
  /** Null: no token, or that of a login. */
  readonly bearerToken: SecretText | null;
}
