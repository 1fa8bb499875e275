/** One `[mcp_servers.ID]`, as a person set it up: `config` reads it, `mcp` goes by it. */
export type McpServerConfig = McpStdioServerConfig | McpHttpServerConfig;

/** A credential that is asked for where it is used, and kept nowhere else. */
export interface SecretText {
  reveal(): string;
}

/** The settings that every MCP server has. */
export interface McpServerCommon {
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
  /** For its tools that `toolApprovalModes` does not name. */
  readonly approvalMode: McpApprovalMode;
  /** By the server's own names of its tools. */
  readonly toolApprovalModes: Readonly<Record<string, McpApprovalMode>>;
}

/**
 * Whether a person is asked before a tool is called. `auto`: where one is there, about tools that may change something;
 * `prompt`: about each call; `writes`: about each call that may change something; `approve`: never.
 */
export type McpApprovalMode = "auto" | "prompt" | "writes" | "approve";

/** A program that is started and spoken to over its stdin and stdout. */
export interface McpStdioServerConfig extends McpServerCommon {
  readonly type: "stdio";
  /** Looked up on PATH unless it is a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set in its environment. */
  readonly env: Readonly<Record<string, SecretText>>;
  /** Names of the harness's own variables that it gets, too. */
  readonly envVars: readonly string[];
  /** Absolute; null: the thread's working folder. */
  readonly cwd: string | null;
}

/** A server that is spoken to over streamable HTTP. */
export interface McpHttpServerConfig extends McpServerCommon {
  readonly type: "http";
  /** With its query, in which services like to put keys. */
  readonly url: SecretText;
  /** `url` without query, fragment and user name, for messages. */
  readonly address: string;
  /** The variable that holds its bearer token; null: none, or a login. */
  readonly bearerTokenEnvVar: string | null;
  readonly httpHeaders: Readonly<Record<string, SecretText>>;
  /** Header to the variable with its value; left out where that is unset or blank. */
  readonly envHttpHeaders: Readonly<Record<string, string>>;
  /** As which client a person logs in, where the authorization server knows it already; null: registered at each login. */
  readonly oauth: McpOAuthSettings | null;
}

/** Settings of a login to a service, beyond the service's own metadata. */
export interface McpOAuthSettings {
  /** Null: registered at each login, or known by `clientMetadataUrl`. */
  readonly clientId: string | null;
  /** The variable that holds the client's secret; null: it has none. */
  readonly clientSecretEnvVar: string | null;
  /** Where the client is described (https), for authorization servers that take that for its id; null: nowhere. */
  readonly clientMetadataUrl: string | null;
  /** Asked for in place of what the service names; null: what it names. */
  readonly scopes: readonly string[] | null;
}
