import { ConfigError } from "../fault/config-error.ts";
import { formatKey } from "../toml/key-path.ts";
import { findBuiltInProvider } from "../providers/built-in-providers.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { ProviderTable } from "../keys/config-table.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { providerKeys } from "../keys/provider-keys.ts";
import { loginKeys } from "../keys/login-keys.ts";
import { parseMembers } from "./parse-members.ts";
import { findNearestName } from "../check/nearest-name.ts";
import { Secret, toSecrets } from "../secret.ts";
import { holdsLogin } from "./holds-login.ts";
import { resolveFeatures } from "./resolve-features.ts";
import { resolveAuthCommand } from "./resolve-auth-command.ts";
import type { ResolveContext } from "./resolve-context.ts";

/** The variables that a provider with `requires_openai_auth` takes its key from. The first is the public SDK's. */
export const openaiKeyVariables: readonly string[] = ["CODEX_API_KEY", "OPENAI_API_KEY"];

const azureHost = /\.(openai|cognitiveservices|aoai|services\.ai)\.azure\.(com|us|cn)$|\.(azure-api|azurefd)\.net$/;

/** The provider that `model_provider` names. Throws `ConfigError` where there is none, or its `base_url` cannot be used. */
export function resolveProvider(context: ResolveContext): ProviderConfig {
  const id = context.table.model_provider ?? modelKeys.keys.model_provider.default;
  const providers = context.table.model_providers ?? {};
  const table = Object.hasOwn(providers, id) ? providers[id] : undefined;
  if (table === undefined) throw unknownProvider(context, id);

  const baseUrl = resolveBaseUrl(context, id, table);
  const isAzure = [id, table.name].some((name) => name?.toLowerCase() === "azure") || azureHost.test(baseUrl.hostname);
  const { takes: own, ...members } = parseMembers(providerKeys.keys, { table, path: ["model_providers", id] }, context);
  const features = resolveFeatures({ id, table, baseUrl, isAzure, own });
  const { requiresOpenaiAuth: openaiAuth } = members;
  const azure = isAzure || features.preset === "azure";
  return {
    ...members,
    id,
    name: table.name ?? id,
    baseUrl: baseUrl.href.replace(/\/+$/, ""),
    loginBaseUrl: toLoginBaseUrl(context, id),
    envKeys: [...(table.env_key === undefined ? [] : [table.env_key]), ...(openaiAuth ? openaiKeyVariables : [])],
    keyHeader: (table.key_header ?? providerKeys.keys.key_header.default).toLowerCase(),
    bearerToken: table.experimental_bearer_token === undefined ? null : new Secret(table.experimental_bearer_token),
    authCommand: resolveAuthCommand(context, id, table),
    loginMethod: openaiAuth ? (context.table.forced_login_method ?? null) : null,
    ...features,
    local: findBuiltInProvider(id)?.local ?? null,
    queryParams: toSecrets(table.query_params),
    httpHeaders: toSecrets(table.http_headers),
    envHttpHeaders: table.env_http_headers ?? {},
    requestMaxRetries: Math.min(members.requestMaxRetries, 100),
    streamMaxRetries: Math.min(members.streamMaxRetries, 100),
    unnamedModel: toUnnamedModel({ azure, openaiAuth }),
    azure,
  };
}

function toUnnamedModel({
  azure,
  openaiAuth,
}: Readonly<Record<"azure" | "openaiAuth", boolean>>): ProviderConfig["unnamedModel"] {
  if (azure) return "none";
  return openaiAuth ? "default" : "listed";
}

/** Who moves the provider moves both. */
function toLoginBaseUrl({ table, origins }: ResolveContext, id: string): string | null {
  const isMoved =
    table.openai_base_url !== undefined || origins.get("model_providers.openai.base_url")?.type !== "built_in";
  if (id !== "openai" || isMoved) return null;
  return `${(table.chatgpt_base_url ?? loginKeys.keys.chatgpt_base_url.default).replace(/\/+$/, "")}/codex`;
}

function unknownProvider({ table, origins }: ResolveContext, id: string): ConfigError {
  const nearest = findNearestName(id, Object.keys(table.model_providers ?? {}));
  const hint = nearest === null ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
  return new ConfigError({
    code: "provider_unknown",
    message: `model_provider is ${JSON.stringify(id)}, but there is no table [${formatKey(["model_providers", id])}] with its base_url.${hint}`,
    key: "model_provider",
    origin: origins.get("model_provider"),
  });
}

/** The text itself is not repeated in an error: it may hold a password. */
function resolveBaseUrl({ table, origins }: ResolveContext, id: string, provider: ProviderTable): URL {
  const moved = id === "openai" ? table.openai_base_url : undefined;
  const text = moved ?? provider.base_url;
  const tableKey = formatKey(["model_providers", id]);
  const key = moved === undefined ? `${tableKey}.base_url` : "openai_base_url";
  const url = URL.parse(text ?? "");
  const fault = text === undefined ? "is missing" : findUrlFault(url, text);
  if (url !== null && fault === null) return url;
  const builtIn = findBuiltInProvider(id);
  const example = builtIn?.exampleUrl ?? "http://localhost:8080/v1";
  const orVariable = builtIn?.exampleUrl ? ` Or set ${builtIn.baseUrlVariable} to it.` : "";
  throw new ConfigError({
    code: "provider_invalid",
    message: `${key} ${fault}: set it to the address that /responses is put after, like ${JSON.stringify(example)}.${orVariable}`,
    key,
    origin: origins.get(key) ?? origins.get(tableKey),
  });
}

function findUrlFault(url: URL | null, text: string): string | null {
  if (url === null && /^https?:/i.test(text)) return "is not a valid address";
  if (url === null || !/^https?:$/.test(url.protocol)) return "does not begin with http:// or https://";
  if (holdsLogin(url)) return "holds a user name or password, which belongs into a variable named by env_key";
  return url.search || url.hash ? "holds a query or fragment, which belongs into query_params" : null;
}
