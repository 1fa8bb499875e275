import {
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import { ServerFault } from "../fault/server-fault.ts";
import type { ResolvedService } from "../settings/resolved-server.ts";
import { discoverIssuer } from "./legacy-discovery.ts";
import { createNamedHosts } from "./named-hosts.ts";
import type { ProxyEnv } from "./open-fetch.ts";
import type { McpCredentials, McpTokenStore } from "./token-store.ts";

export interface AuthorizedFetchOptions {
  readonly tokens: McpTokenStore;
  /** For the servers that renew the login. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** Sends a request to the server itself. */
  readonly send: FetchLike;
}

/**
 * A fetch that sends the token of a login. If the server rejects it, the token is renewed once and
 * the request sent again; requests rejected at the same time share one renewal. Without a login, or
 * if it cannot be renewed, the server's rejection (401) is returned. If logins cannot be read,
 * requests to a server that requires one throw `ServerFault`. Because a keyring is slow, a login is
 * read only for the first request and after a rejection.
 */
export function createAuthorizedFetch(
  server: ResolvedService,
  { tokens, proxyEnv, send: ask }: AuthorizedFetchOptions,
): FetchLike {
  let kept: Promise<McpCredentials | null> | null = null;
  let renewing: Promise<McpCredentials | null> | null = null;
  let fault: ServerFault | null = null;

  async function read(): Promise<McpCredentials | null> {
    try {
      fault = null;
      const credentials = await tokens.read(server.id);
      return credentials?.address === server.address ? credentials : null;
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      fault = error;
      return null;
    }
  }

  /** Another process may have been faster: a refresh token works only once. */
  async function renew(used: McpCredentials | null, send: FetchLike): Promise<McpCredentials | null> {
    const before = await read();
    if (before === null || used === null || !isSame(before, used)) return before;
    const renewed = await requestTokens(used, send);
    if (renewed !== null) {
      await tokens.write(server.id, renewed);
      return renewed;
    }
    const after = await read();
    return after === null || isSame(after, used) ? null : after;
  }

  /** For the next login. The caller reads the rejection from the response. */
  async function noteWanted(used: McpCredentials | null, response: Response): Promise<void> {
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (used === null || error !== "insufficient_scope" || scope === undefined) return;
    const wantedScope = computeScopeUnion(used.wantedScope ?? undefined, scope) ?? null;
    if (wantedScope === used.wantedScope) return;
    const noted = { ...used, wantedScope };
    kept = Promise.resolve(noted);
    await tokens.write(server.id, noted).catch(() => {}); // then no login can be saved, and the next login reports that
  }

  return async (url, init) => {
    kept ??= read();
    const used = await kept;
    const response = await ask(url, withToken(init, used));
    if (response.status === 403) await noteWanted(used, response);
    if (response.status !== 401) return response;
    // All requests of a connection share one signal: the end of the connection.
    const signal = init?.signal;
    const { fetch: send } = createNamedHosts({ address: server.address, proxyEnv, ...(signal && { signal }) });
    renewing ??= renew(used, send).finally(() => (renewing = null));
    const renewed = await renewing;
    if (renewed === null && fault === null) return response;
    await response.body?.cancel();
    if (fault !== null) throw fault;
    kept = Promise.resolve(renewed);
    return ask(url, withToken(init, renewed));
  };
}

function isSame(left: McpCredentials, right: McpCredentials): boolean {
  return left.tokens.access_token === right.tokens.access_token;
}

/**
 * Null: the authorization server rejects the refresh token, so a new login is needed. Throws if it
 * cannot be reached.
 */
async function requestTokens(credentials: McpCredentials, fetchFn: FetchLike): Promise<McpCredentials | null> {
  const { authorizationServer, client, resource, tokens } = credentials;
  if (tokens.refresh_token === undefined) return null;
  const metadata = await discoverIssuer(credentials, fetchFn);
  try {
    const renewed = await refreshAuthorization(authorizationServer, {
      ...(metadata !== null && { metadata }),
      ...(resource === null ? {} : { resource }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      fetchFn,
    });
    return { ...credentials, tokens: renewed };
  } catch (error) {
    if (error instanceof OAuthError && error.code !== OAuthErrorCode.ServerError) return null;
    throw error;
  }
}

function withToken(init: RequestInit | undefined, credentials: McpCredentials | null): RequestInit {
  const headers = new Headers(init?.headers);
  if (credentials !== null) headers.set("authorization", `Bearer ${credentials.tokens.access_token}`);
  return { ...init, headers };
}
