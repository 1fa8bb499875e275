import type { Environment } from "../config-sources.ts";
import type { Secret } from "../secret.ts";
import type { AuthCommand, ProviderConfig } from "./provider-config.ts";

/** How a request authenticates. `token` is a credential: never print or save it. */
export type ProviderCredential =
  /** `envName`: the variable it came from; null: the config file. */
  | { readonly type: "bearer"; readonly token: string; readonly envName: string | null }
  /** Sent unchanged in this header. */
  | { readonly type: "header"; readonly header: string; readonly token: string; readonly envName: string }
  /** Printed by this command. */
  | { readonly type: "command"; readonly command: AuthCommand }
  /** The provider needs none. */
  | { readonly type: "none" }
  /**
   * The provider needs one and there is none. `envName` is the variable to set; `instructions` say
   * how to get a value; `takesLogin`: a saved login works too; `takesKey`: a key is accepted at
   * all.
   */
  | {
      readonly type: "missing";
      readonly envName: string;
      readonly instructions: string | null;
      readonly takesLogin: boolean;
      readonly takesKey: boolean;
    };

/**
 * Finds the provider's key: in the config, else in a variable, else by its command. `missing` says
 * whether a login can replace it. A blank variable counts as unset; space around a key is removed.
 */
export function resolveCredential(provider: ProviderConfig, env: Environment): ProviderCredential {
  if (provider.bearerToken !== null) return { type: "bearer", token: provider.bearerToken.reveal(), envName: null };
  for (const envName of provider.loginMethod === "chatgpt" ? [] : provider.envKeys) {
    const token = env[envName]?.trim();
    if (!token) continue;
    const { keyHeader: header } = provider;
    return header === "authorization" ? { type: "bearer", token, envName } : { type: "header", header, token, envName };
  }
  if (provider.authCommand !== null) return { type: "command", command: provider.authCommand };
  const envName = provider.envKeys.at(-1);
  if (envName === undefined) return { type: "none" };
  return {
    type: "missing",
    envName,
    instructions: provider.envKeyInstructions,
    takesLogin: provider.requiresOpenaiAuth,
    takesKey: provider.loginMethod !== "chatgpt",
  };
}

/**
 * The headers and query of every request to a provider, without its credential. Values may be
 * credentials: never print or save them.
 */
interface RequestParts {
  /** Names as configured; no two differ only in case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Leaves out a header whose variable is unset or blank. A header from a variable replaces a fixed
 * one of the same name.
 */
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
