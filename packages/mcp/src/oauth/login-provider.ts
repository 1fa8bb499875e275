import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { McpCredentials } from "./token-store.ts";

/** One login in the form that the SDK wants; remembers what it learns until the end. */
export interface LoginProvider extends OAuthClientProvider {
  /** Null before the tokens have arrived. */
  credentials(): McpCredentials | null;
}

export interface LoginProviderOptions {
  /** The server that the login is for. */
  readonly address: string;
  readonly clientName: string;
  readonly redirectUrl: string;
  readonly state: string;
  readonly openPage: (url: string) => Promise<void>;
  /** A client that the authorization server already knows; null: a new one is registered. */
  readonly client: { readonly id: string; readonly secret: string | null } | null;
  /** See `McpOAuthSettings`. */
  readonly clientMetadataUrl: string | null;
}

/**
 * Without a client it always registers a new one: the redirect address of an earlier login had
 * another port.
 */
export function createLoginProvider(options: LoginProviderOptions): LoginProvider {
  const { address, clientName, redirectUrl, state, openPage, clientMetadataUrl } = options;
  let discovery: OAuthDiscoveryState | undefined;
  let client = toClient(options.client) ?? undefined;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  return {
    redirectUrl,
    ...(clientMetadataUrl !== null && { clientMetadataUrl }),
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    discoveryState: () => discovery,
    saveDiscoveryState(found) {
      discovery = found;
    },
    clientInformation: (about) => client && { ...client, issuer: client.issuer ?? about?.issuer },
    saveClientInformation(registered) {
      client = registered;
    },
    tokens: () => undefined,
    saveTokens(received) {
      tokens = received;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(created) {
      verifier = created;
    },
    redirectToAuthorization: (url) => openPage(url.href),
    credentials() {
      if (discovery === undefined || client === undefined || tokens === undefined) return null;
      const { authorizationServerUrl: authorizationServer, resourceMetadata } = discovery;
      return {
        address,
        authorizationServer,
        resource: resourceMetadata?.resource ?? null,
        client,
        tokens,
        wantedScope: null,
      };
    },
  };
}

function toClient(client: LoginProviderOptions["client"]): StoredOAuthClientInformation | null {
  if (client === null) return null;
  return { client_id: client.id, ...(client.secret !== null && { client_secret: client.secret }) };
}
