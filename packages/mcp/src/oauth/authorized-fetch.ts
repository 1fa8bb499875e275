import {
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import { ServerFault } from "../fault/server-fault.ts";
import type { ResolvedService } from "../settings/resolved-server.ts";
import { createNamedHosts } from "./named-hosts.ts";
import type { ProxyEnv } from "./open-fetch.ts";
import type { McpCredentials, McpTokenStore } from "./token-store.ts";

export interface AuthorizedFetchOptions {
  readonly tokens: McpTokenStore;
  /** For the servers that renew the login. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** Asks the server itself. */
  readonly send: FetchLike;
}

/**
 * A fetch that sends the token of a login. Where the server refuses it, it is renewed once and the request sent again;
 * requests that are refused at the same time share one renewal. Without a login, or with one that cannot be renewed, the
 * server's refusal (401) is returned as it is; where logins cannot be read, the requests of a server that wants one throw
 * `ServerFault`. A login is read at the first request and after a refusal, for a keyring is slow.
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

  /** Another process may have been faster: a refresh token is good for one use. */
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

  /** For the next login. The refusal itself is told by whoever reads the response. */
  async function noteWanted(used: McpCredentials | null, response: Response): Promise<void> {
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (used === null || error !== "insufficient_scope" || scope === undefined) return;
    const wantedScope = computeScopeUnion(used.wantedScope ?? undefined, scope) ?? null;
    if (wantedScope === used.wantedScope) return;
    const noted = { ...used, wantedScope };
    kept = Promise.resolve(noted);
    await tokens.write(server.id, noted).catch(() => {}); // no login can be kept then, which the login says
  }

  return async (url, init) => {
    kept ??= read();
    const used = await kept;
    const response = await ask(url, withToken(init, used));
    if (response.status === 403) await noteWanted(used, response);
    if (response.status !== 401) return response;
    // All requests of a connection have the same signal: that of its end.
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

/** Null: the authorization server refuses, so that a new login is needed. Throws where it cannot be reached. */
async function requestTokens(credentials: McpCredentials, fetchFn: FetchLike): Promise<McpCredentials | null> {
  const { authorizationServer, client, resource, tokens } = credentials;
  if (tokens.refresh_token === undefined) return null;
  const metadata = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn });
  try {
    const renewed = await refreshAuthorization(authorizationServer, {
      ...(metadata === undefined ? {} : { metadata }),
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
