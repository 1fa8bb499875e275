import type { NamedCredential } from "../resolved-config.ts";
import type { ConfigTable, McpServerTable, ProviderTable } from "../schema/config-table.ts";
import { Secret } from "../secret.ts";
import { isCredentialValue, withoutScheme } from "../schema/is-credential.ts";

type Texts = Readonly<Record<string, string>>;

/** As for the files that commands may not read: what a table calls so is a credential. */
const credentialName = /auth|cookie|key|password|secret|token/i;

/** Every credential that stands in the config, in its order; of services that are not in use, too. */
export function listCredentialsOf(table: ConfigTable): readonly NamedCredential[] {
  return [
    ...Object.entries(table.model_providers ?? {}).flatMap(([id, provider]) => ofProvider(id, provider)),
    ...Object.entries(table.mcp_servers ?? {}).flatMap(([id, server]) => ofServer(id, server)),
    ...ofTable("shell_environment_policy", table.shell_environment_policy?.set),
  ];
}

function ofProvider(id: string, provider: ProviderTable): readonly NamedCredential[] {
  const { experimental_bearer_token: token } = provider;
  return [
    ...(token === undefined ? [] : [{ name: `${id}.bearer_token`, secret: new Secret(token) }]),
    ...ofTable(id, provider.http_headers),
    ...ofTable(id, provider.query_params),
  ];
}

function ofServer(id: string, server: McpServerTable): readonly NamedCredential[] {
  return [...ofTable(id, server.env), ...ofTable(id, server.http_headers), ...ofUrl(id, server.url)];
}

function ofTable(owner: string, texts: Texts | undefined): readonly NamedCredential[] {
  if (texts === undefined) return [];
  return Object.entries(texts).flatMap(([name, text]) => {
    const value = withoutScheme(text);
    return credentialName.test(name) && isCredentialValue(value)
      ? [{ name: `${owner}.${name}`, secret: new Secret(value) }]
      : [];
  });
}

/** In its query: an address with a user name is refused. */
function ofUrl(id: string, text: string | undefined): readonly NamedCredential[] {
  if (text === undefined) return [];
  return ofTable(id, Object.fromEntries(URL.parse(text)?.searchParams ?? []));
}
