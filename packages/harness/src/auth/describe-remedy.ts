import type { LoginStatus } from "@unroll/auth";
import type { ProviderCredential, ResolvedConfig } from "@unroll/config";

type Provider = ResolvedConfig["provider"];
type Missing = Extract<ProviderCredential, { readonly type: "missing" }>;

/** Advice for a user whose credential the provider rejects. */
export function describeRemedy({ id, requiresOpenaiAuth }: Provider, found: ProviderCredential): string {
  const table = `[model_providers.${id}]`;
  switch (found.type) {
    case "none":
      return `No key was sent: name the variable that holds one in env_key of ${table} of config.toml.`;
    case "bearer":
      if (found.envName === null) return `Check experimental_bearer_token in ${table} of config.toml.`;
      return `Check the key in ${found.envName}.${requiresOpenaiAuth ? " Or unset it and log in: unroll login." : ""}`;
    case "header":
      return `Check the key in ${found.envName}.`;
    case "command":
      return `Check what the command of ${found.command.configKey} prints.`;
    case "missing":
      return describeLoginRemedy("tokens");
  }
}

/** The same for a saved login. */
export function describeLoginRemedy(type: LoginStatus["type"]): string {
  return type === "tokens" ? "Log in again: unroll login." : "Store a valid key: unroll login --with-api-key.";
}

/** Says that there is no credential, and where to put one. */
export function describeMissing(provider: Provider, missing: Missing): string {
  const { envName, instructions, takesLogin, takesKey } = missing;
  if (!takesKey) {
    return `There is no ChatGPT login for the provider ${provider.name}, and forced_login_method allows no API key: run unroll login.`;
  }
  const how = instructions === null ? "" : ` ${instructions}`;
  const orLogin = takesLogin ? " Or log in: unroll login." : "";
  const keyless = isOnThisMachine(provider.baseUrl) ? describeKeyless(provider) : "";
  return `There is no key for the provider ${provider.name}: set ${envName}.${how}${orLogin}${keyless}`;
}

/** Says that nobody is logged in to the chosen account, and which others there are. */
export function describeMissingAccount(account: string, others: readonly string[]): string {
  return `Nobody is logged in to the account ${account}: run unroll login --as ${account}, or choose another account with --account: ${others.join(", ")}.`;
}

/** A server on this machine usually needs no key, and is not OpenAI. */
function describeKeyless({ id, baseUrl, requiresOpenaiAuth }: Provider): string {
  if (!requiresOpenaiAuth) return ` If it needs none, remove env_key from [model_providers.${id}].`;
  return ` If the server at ${baseUrl} needs none, describe it as a provider: -c model_providers.mine.base_url=${baseUrl} -c model_provider=mine.`;
}

function isOnThisMachine(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || host.endsWith(".localhost") || host.startsWith("127.");
}

/** Why a login of this type must not be used, and what to do; null: it may be used. */
export function explainWrongLogin({ login }: Pick<ResolvedConfig, "login">, type: LoginStatus["type"]): string | null {
  const has = type === "key" ? "api" : "chatgpt";
  if (login.method === null || login.method === has) return null;
  return has === "api"
    ? 'The stored login is an API key, but forced_login_method is "chatgpt": run unroll login to log in with ChatGPT.'
    : 'The stored login is one with ChatGPT, but forced_login_method is "api": store a key with unroll login --with-api-key, or set one in a variable.';
}
