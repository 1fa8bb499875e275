import * as z from "zod";

/** What a login to an MCP server gave. */
export interface McpCredentials {
  /** The server that they are for: sent to no other address. */
  readonly address: string;
  /** Who gave the tokens: the refresh token is sent to nobody else. */
  readonly authorizationServer: string;
  /** The resource indicator (RFC 8707) that they were asked for with; null: none. */
  readonly resource: string | null;
  /** As which client: registered, or known to the authorization server otherwise. */
  readonly client: McpOAuthClient;
  readonly tokens: McpOAuthTokens;
  /** What the server wanted beyond what was granted (status 403), for the next login: scopes with blanks between; null: nothing. */
  readonly wantedScope: string | null;
}

/** Field names are those of RFC 7591. */
interface McpOAuthClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
}

/** Field names are those of RFC 6749. */
interface McpOAuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
}

/** Where logins are kept; `createMcpTokenStore` makes one. All throw `ServerFault` `not_started` where that place cannot be had. */
export interface McpTokenStore {
  /** Null: there is no login, or none that can be understood. */
  read(server: string): Promise<McpCredentials | null>;
  /** Gives notices, in sentences for a person. */
  write(server: string, credentials: McpCredentials): Promise<readonly string[]>;
  /** Nothing happens where there is no login. */
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
