import type { Environment } from "../config-sources.ts";
import type { Secret } from "../secret.ts";
import type { ProviderConfig } from "./provider-config.ts";

/** What every request to a provider carries besides its credential. Values may be credentials: never print or keep them. */
export interface RequestParts {
  /** Names as configured; no two differ in case only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A header whose variable is unset or blank is left out; one from a variable replaces a fixed one of the same name. */
export function resolveRequestParts(provider: ProviderConfig, env: Environment): RequestParts {
  const headers = new Map<string, readonly [string, string]>();
  const add = (name: string, value: string): unknown => headers.set(name.toLowerCase(), [name, value]);
  for (const [name, secret] of Object.entries(provider.httpHeaders)) add(name, secret.reveal());
  for (const [name, variable] of Object.entries(provider.envHttpHeaders)) {
    const value = env[variable]?.trim();
    if (value) add(name, value);
  }
  return { headers: Object.fromEntries(headers.values()), query: reveal(provider.queryParams) };
}

function reveal(secrets: Readonly<Record<string, Secret>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}
