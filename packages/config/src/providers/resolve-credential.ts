import type { Environment } from "../config-sources.ts";
import type { Secret } from "../secret.ts";
import type { AuthCommand, ProviderConfig } from "./provider-config.ts";

/** By which a request says who it is from. `token` is a credential: never print or keep it. */
export type ProviderCredential =
  /** `envName`: the variable it came from; null: the config file. */
  | { readonly type: "bearer"; readonly token: string; readonly envName: string | null }
  /** To be sent in this header, as it is. */
  | { readonly type: "header"; readonly header: string; readonly token: string; readonly envName: string }
  /** To be had by running this. */
  | { readonly type: "command"; readonly command: AuthCommand }
  /** The provider wants none. */
  | { readonly type: "none" }
  /**
   * The provider wants one and there is none here. `envName` is the variable to set; `instructions` how to get a value;
   * `takesLogin`: a login that is kept will do as well; `takesKey`: a key will do at all.
   */
  | {
      readonly type: "missing";
      readonly envName: string;
      readonly instructions: string | null;
      readonly takesLogin: boolean;
      readonly takesKey: boolean;
    };

/**
 * Finds the provider's key: the config's, that of a variable, that of its command; else a login may stand in. A blank variable
 * counts as unset; space around a key is taken off.
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

/** What every request to a provider carries besides its credential. Values may be credentials: never print or keep them. */
interface RequestParts {
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
