import type { AuthorizationServer, Client } from "oauth4webapi";
import { describeThrown } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import type { LoginServer, Network } from "../auth-settings.ts";
import { createSendRequest, type SendRequest } from "./send-request.ts";

/** The server of a login, with its endpoints. */
export interface FoundServer {
  readonly metadata: AuthorizationServer;
  readonly client: Client;
  /** `chatgpt`: it has OpenAI's own endpoints and device login, which is not that of RFC 8628. */
  readonly layout: "standard" | "chatgpt";
  readonly send: SendRequest;
  /** For the functions of `oauth4webapi`. */
  readonly requestOptions: RequestOptions;
}

interface RequestOptions {
  readonly signal: AbortSignal;
}

/** OpenAI's issuer. Its endpoints are known, so no metadata is requested. */
const openaiIssuer = "https://auth.openai.com";

/**
 * Finds a server's endpoints by its metadata (OpenID Connect Discovery 1.0, otherwise RFC 8414). A
 * server without metadata is assumed to have OpenAI's endpoints. Throws `AuthError`.
 */
export async function findServer(server: LoginServer, network: Network, signal: AbortSignal): Promise<FoundServer> {
  const issuer = new URL(server.issuer);
  const send = createSendRequest({ ...network, hosts: new Set([issuer.host, ...server.hosts]) });
  const known = server.issuer === openaiIssuer ? null : await discover(issuer, send, signal);
  return {
    metadata: known ?? toOpenaiPlaces(server.issuer),
    client: { client_id: server.clientId },
    layout: known === null ? "chatgpt" : "standard",
    send,
    requestOptions: { signal },
  };
}

/** Null: it has no metadata. */
async function discover(issuer: URL, send: SendRequest, signal: AbortSignal): Promise<AuthorizationServer | null> {
  const oauth = await import("oauth4webapi");
  for (const algorithm of ["oidc", "oauth2"] as const) {
    const response = await oauth.discoveryRequest(issuer, {
      algorithm,
      signal,
      ...toTransport(oauth, send),
    });
    if (response.status === 404) continue;
    try {
      return await oauth.processDiscoveryResponse(issuer, response);
    } catch (error) {
      const reason = describeThrown(error);
      throw new AuthError("server_refused", `${issuer.host} does not describe its login: ${reason}.`, { cause: error });
    }
  }
  return null;
}

/** How `oauth4webapi` sends. Plain HTTP is only for a server on this machine; the config accepts no other. */
export function toTransport(oauth: typeof import("oauth4webapi"), send: SendRequest): object {
  return {
    [oauth.customFetch]: send,
    [oauth.allowInsecureRequests]: true,
  };
}

function toOpenaiPlaces(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
  };
}
