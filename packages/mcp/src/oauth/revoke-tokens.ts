import * as z from "zod";
import { discoverIssuer } from "./legacy-discovery.ts";
import { createNamedHosts, type NamedHostsOptions } from "./named-hosts.ts";
import type { McpCredentials } from "./token-store.ts";

const metadataSchema = z.looseObject({ revocation_endpoint: z.url({ protocol: /^https?$/ }) });

/** Whether the authorization server has ended the login. Never throws. */
export async function revokeTokens(
  credentials: McpCredentials,
  network: Pick<NamedHostsOptions, "proxyEnv" | "signal">,
): Promise<boolean> {
  const { address, client, tokens } = credentials;
  const { fetch: send } = createNamedHosts({ ...network, address });
  try {
    const metadata = metadataSchema.safeParse(await discoverIssuer(credentials, send)).data;
    if (metadata === undefined) return false;
    const [token, hint] =
      tokens.refresh_token === undefined
        ? [tokens.access_token, "access_token"]
        : [tokens.refresh_token, "refresh_token"];
    const body = new URLSearchParams({ token, token_type_hint: hint, client_id: client.client_id });
    if (client.client_secret !== undefined) body.set("client_secret", client.client_secret);
    const response = await send(metadata.revocation_endpoint, { method: "POST", body });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
