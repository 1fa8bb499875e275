import {
  type AuthorizationServerMetadata,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  IssuerMismatchError,
} from "@modelcontextprotocol/client";
import type { LoginProvider } from "./login-provider.ts";
import type { McpCredentials } from "./token-store.ts";

interface DiscoveryRequest {
  readonly serverUrl: string;
  readonly resourceMetadataUrl?: URL;
  readonly fetchFn: FetchLike;
}

/**
 * Whether a login failed only because of an older server, which then is discovered by the rules of its
 * time. In the revision 2025-03-26 a server has no resource metadata: its own origin names the
 * authorization server, by any issuer. Nobody else can name it there, so the issuer need not be the
 * origin's (RFC 8414).
 */
export async function discoverLegacy(
  error: unknown,
  provider: LoginProvider,
  { serverUrl, resourceMetadataUrl, fetchFn }: DiscoveryRequest,
): Promise<boolean> {
  if (!(error instanceof IssuerMismatchError) || error.kind !== "metadata") return false;
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const names = await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetchFn).then(
    () => true,
    (fault: unknown) => fault instanceof TypeError, // it cannot be reached: unknown
  );
  if (names) return false;
  const authorizationServerUrl = new URL("/", serverUrl).href;
  const skipIssuerValidation = true;
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, {
    fetchFn,
    skipIssuerValidation,
  });
  if (authorizationServerMetadata === undefined) return false;
  await provider.saveDiscoveryState?.({ authorizationServerUrl, authorizationServerMetadata });
  return true;
}

/** The metadata of the authorization server that issued a login; null: it has none. */
export async function discoverIssuer(
  { authorizationServer, resource }: McpCredentials,
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata | null> {
  // without a resource, the server was discovered without resource metadata
  const skipIssuerValidation = resource === null;
  return (await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn, skipIssuerValidation })) ?? null;
}
