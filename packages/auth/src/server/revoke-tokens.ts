import type { TokenLogin } from "../record/auth-record.ts";
import type { LoginServer, Network } from "../auth-settings.ts";
import { findServer } from "./authorization-server.ts";

/**
 * Asks the server to end a login (RFC 7009); revoking the refresh token ends it all. Returns
 * whether it did; never throws.
 */
export async function revokeTokens(
  login: TokenLogin,
  { server, network }: { readonly server: LoginServer; readonly network: Network },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { metadata, client, layout, send } = await findServer(server, network, signal);
    const endpoint = metadata.revocation_endpoint;
    if (endpoint === undefined) return false;
    const [token, hint] =
      login.refreshToken === null ? [login.accessToken, "access_token"] : [login.refreshToken, "refresh_token"];
    const parameters = { token, token_type_hint: hint, client_id: client.client_id };
    const isJson = layout === "chatgpt"; // OpenAI expects JSON, unlike RFC 7009
    const response = await send(endpoint, {
      method: "POST",
      headers: { "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded" },
      body: isJson ? JSON.stringify(parameters) : new URLSearchParams(parameters),
      signal,
    });
    return response.ok;
  } catch {
    return false;
  }
}
