import type { ConfigLayer } from "../layer/config-layer.ts";
import type { ConfigTable } from "../schema/config-table.ts";

/** As in `list-credentials-of`, but however the value looks: a file that need not be closed is better than one that must. */
const credentialName = /auth|cookie|key|password|secret|token/i;

/**
 * Config files with a credential in plain text, in use or not: a command that reads one would hand it to the model. So is one
 * whose credential another layer stands before.
 */
export function listFilesWithSecrets(layers: readonly ConfigLayer[]): readonly string[] {
  return layers.flatMap((layer) => {
    if (!holdsSecret(layer.table)) return [];
    const origin = layer.locate([]);
    return origin.type === "file" ? [origin.path] : [];
  });
}

function holdsSecret({ model_providers: providers = {}, mcp_servers: servers = {}, profiles }: ConfigTable): boolean {
  return (
    Object.values(providers).some(
      (provider) =>
        provider.experimental_bearer_token !== undefined ||
        namesSecret(provider.http_headers) ||
        namesSecret(provider.query_params) ||
        holdsQuery(provider.base_url),
    ) ||
    Object.values(servers).some(
      (server) => namesSecret(server.env) || namesSecret(server.http_headers) || holdsQuery(server.url),
    ) ||
    Object.values(profiles ?? {}).some(holdsSecret)
  );
}

function namesSecret(texts: Readonly<Record<string, string>> | undefined): boolean {
  return texts !== undefined && Object.keys(texts).some((name) => credentialName.test(name));
}

/** Services like to put keys into the queries of their addresses; one with a login in it is refused. */
function holdsQuery(address: string | undefined): boolean {
  return address !== undefined && (URL.parse(address)?.search ?? "") !== "";
}
