import { shortestSecret } from "@unroll/text";
import type { Environment } from "../config-sources.ts";
import type { ResolvedConfig } from "../resolved-config.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import { Secret } from "../secret.ts";
import { listCredentialsOf } from "./list-credentials-of.ts";
import { openaiKeyVariables } from "./resolve-provider.ts";

/** Of every provider and MCP server, whether it is in use or not. */
export function collectSecrets(
  table: ConfigTable,
): Pick<ResolvedConfig, "secretNames" | "inlineSecrets" | "namedSecrets"> {
  const providers = Object.values(table.model_providers ?? {});
  const servers = Object.values(table.mcp_servers ?? {});
  const names = [
    ...openaiKeyVariables,
    ...providers.map((provider) => provider.env_key),
    ...servers.map((server) => server.bearer_token_env_var),
    ...servers.map((server) => server.oauth?.client_secret_env_var),
    ...[...providers, ...servers].flatMap(({ env_http_headers: headers }) =>
      headers === undefined ? [] : Object.values(headers),
    ),
  ];
  const tokens = providers.map((provider) => provider.experimental_bearer_token);
  return {
    secretNames: [...new Set(names.filter((name) => name !== undefined))],
    inlineSecrets: tokens.filter((token) => token !== undefined).map((token) => new Secret(token)),
    namedSecrets: listCredentialsOf(table),
  };
}

/**
 * The credentials of the harness in plain text, to be looked for in what must not hold them (a command's environment):
 * those of the environment and those in the config. Keep the answer nowhere. Values under `shortestSecret`
 * characters are left out.
 */
export function listSecretValues(config: ResolvedConfig, env: Environment): readonly string[] {
  const values = [
    ...config.secretNames.map((name) => env[name]?.trim() ?? ""),
    ...config.inlineSecrets.map((secret) => secret.reveal()),
  ];
  return [...new Set(values.filter((value) => value.length >= shortestSecret))];
}
