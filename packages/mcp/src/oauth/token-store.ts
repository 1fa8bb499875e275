import * as z from "zod";

/** The result of a login to an MCP server. */
export interface McpCredentials {
  /** The server they belong to; they are sent to no other address. */
  readonly address: string;
  /** The issuer of the tokens: the refresh token is sent to nobody else. */
  readonly authorizationServer: string;
  /** The resource indicator (RFC 8707) of the request; null: none. */
  readonly resource: string | null;
  /** The client they were issued to: registered, or known to the authorization server already. */
  readonly client: McpOAuthClient;
  readonly tokens: McpOAuthTokens;
  /**
   * Scopes that the server demanded beyond those granted (status 403), for the next login,
   * separated by blanks; null: none.
   */
  readonly wantedScope: string | null;
}

/** Members are named as in RFC 7591. */
interface McpOAuthClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
}

/** Members are named as in RFC 6749. */
interface McpOAuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
}

/**
 * Where logins are saved. `createMcpTokenStore` implements it with files or the keyring. All
 * methods throw `ServerFault` `not_started` if that place cannot be used.
 */
export interface McpTokenStore {
  /** Null: there is no login, or it cannot be parsed. */
  read(server: string): Promise<McpCredentials | null>;
  /** Returns notices, in sentences for the user. */
  write(server: string, credentials: McpCredentials): Promise<readonly string[]>;
  /** Does nothing if there is no login. */
  remove(server: string): Promise<void>;
}

export const credentialsSchema: z.ZodType<McpCredentials> = z.object({
  address: z.string(),
  authorizationServer: z.string(),
  resource: z.string().nullable(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string().optional(),
    token_endpoint_auth_method: z.string().optional(),
  }),
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
  wantedScope: z.string().nullable().default(null),
});
