import { resolve } from "node:path";
import type { ServerFeature, ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import { findNearestName } from "../check/nearest-name.ts";
import { ConfigError } from "../config-error.ts";
import type { ProviderTable, PresetId } from "../keys/config-table.ts";
import { loginKeys } from "../keys/login-keys.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { providerKeys } from "../keys/provider-keys.ts";
import { findBuiltInProvider } from "../providers/built-in-providers.ts";
import { plainLocalPreset, plainPreset, type Preset, presets } from "../providers/presets.ts";
import type { ProviderConfig, AuthCommand } from "../providers/provider-config.ts";
import { Secret, toSecrets } from "../secret.ts";
import { formatKey } from "../toml/table.ts";
import { parseMembers } from "./parse-members.ts";
import { type ResolveContext, resolvePath } from "./resolve-context.ts";

/** The variables that a provider with `requires_openai_auth` takes its key from. The first is the public SDK's. */
export const openaiKeyVariables: readonly string[] = ["CODEX_API_KEY", "OPENAI_API_KEY"];

const azureHost = /\.(openai|cognitiveservices|aoai|services\.ai)\.azure\.(com|us|cn)$|\.(azure-api|azurefd)\.net$/;

/** The provider that `model_provider` names. Throws `ConfigError` where there is none, or its `base_url` cannot be used. */
export function resolveProvider(context: ResolveContext): ProviderConfig {
  const id = context.table.model_provider ?? modelKeys.keys.model_provider.default;
  const providers = context.table.model_providers ?? {};
  const table = Object.hasOwn(providers, id) ? providers[id] : undefined;
  if (table === undefined) throw unknownProvider(context, "model_provider", id);

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

/** Null for a provider that the user moved to another address: logins go there, too. */
function toLoginBaseUrl({ table, origins }: ResolveContext, id: string): string | null {
  const isMoved =
    table.openai_base_url !== undefined || origins.get("model_providers.openai.base_url")?.type !== "built_in";
  if (id !== "openai" || isMoved) return null;
  return `${(table.chatgpt_base_url ?? loginKeys.keys.chatgpt_base_url.default).replace(/\/+$/, "")}/codex`;
}

/** `key`: the key that names the provider. */
export function unknownProvider(
  { table, origins }: ResolveContext,
  key: "model_provider" | "model_fallbacks",
  id: string,
): ConfigError {
  const nearest = findNearestName(id, Object.keys(table.model_providers ?? {}));
  const hint = nearest === null ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
  return new ConfigError({
    code: "provider_unknown",
    message: `${key} names the provider ${JSON.stringify(id)}, but there is no table [${formatKey(["model_providers", id])}] with its base_url.${hint}`,
    key,
    origin: origins.get(key),
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
    message: `${key} ${fault}: set it to the base address before /responses, such as ${JSON.stringify(example)}.${orVariable}`,
    key,
    origin: origins.get(key) ?? origins.get(tableKey),
  });
}

function findUrlFault(url: URL | null, text: string): string | null {
  if (url === null && /^https?:/i.test(text)) return "is not a valid address";
  if (url === null || !/^https?:$/.test(url.protocol)) return "does not start with http:// or https://";
  if (holdsLogin(url)) return "has a user name or password (put it into a variable that env_key names)";
  return url.search || url.hash ? "has a query or fragment (put it into query_params)" : null;
}

const { keys } = providerKeys;

/** The command that prints a provider's key, by either of its two keys; null: there is none. Throws `ConfigError` where there are both. */
function resolveAuthCommand(context: ResolveContext, id: string, table: ProviderTable): AuthCommand | null {
  const { auth, auth_command: argv } = table;
  const key = formatKey(["model_providers", id, auth === undefined ? "auth_command" : "auth"]);
  if (auth !== undefined && argv !== undefined) {
    throw new ConfigError({
      code: "provider_invalid",
      message: `${key} and auth_command both configure the key: remove one of them.`,
      key,
      origin: context.origins.get(key),
    });
  }
  if (argv !== undefined) {
    const timeoutMs = table.auth_command_timeout_ms ?? keys.auth_command_timeout_ms.default;
    return { configKey: key, argv, timeoutMs, refreshMs: null, cwd: null };
  }
  if (auth === undefined) return null;
  const cwd = auth.cwd === undefined ? null : resolvePath(context, `${key}.cwd`, auth.cwd);
  const refreshMs = auth.refresh_interval_ms ?? keys["auth.refresh_interval_ms"].default;
  const program = auth.command.includes("/") && cwd !== null ? resolve(cwd, auth.command) : auth.command;
  return {
    configKey: key,
    argv: [program, ...(auth.args ?? keys["auth.args"].default)],
    timeoutMs: auth.timeout_ms ?? keys["auth.timeout_ms"].default,
    refreshMs: refreshMs === 0 ? null : refreshMs,
    cwd,
  };
}

/** The features that a provider accepts, and where that comes from. */
interface ResolvedFeatures {
  readonly takes: ServerFeatures;
  /** Null: nobody says what it is, so it gets what most servers take. */
  readonly preset: PresetId | null;
  /** Features that it was sent before providers had presets; threads saved then continue that way. */
  readonly took: ServerFeatures;
  readonly threadHeaders: ThreadHeaders;
}

interface FeatureSources {
  readonly id: string;
  readonly table: ProviderTable;
  readonly baseUrl: URL;
  readonly isAzure: boolean;
  /** The table's own settings; null: not set. */
  readonly own: Readonly<Record<ServerFeature, boolean | null>>;
}

/**
 * Single keys override the preset. Keys without a preset mean that the user knows the server:
 * features that they leave out are as with OpenAI.
 */
function resolveFeatures({ id, table, baseUrl, isAzure, own: said }: FeatureSources): ResolvedFeatures {
  const own: Partial<ServerFeatures> = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  const preset =
    table.preset ?? (isAzure ? "azure" : (hosts.find(([host]) => host.test(baseUrl.hostname))?.[1] ?? null));
  const isDeclared = Object.keys(own).some((feature) => !newFeatures.has(feature));
  const plain = loopback.test(baseUrl.hostname) ? plainLocalPreset : plainPreset;
  const base = preset === null ? (isDeclared ? undeclaredBefore : plain) : presets[preset];
  return {
    preset,
    takes: { ...base.takes, ...own },
    took: { ...findBefore(id), ...own },
    threadHeaders: table.thread_headers ?? base.threadHeaders,
  };
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Undeclared providers were sent all that OpenAI takes but its compaction. */
const undeclaredBefore: Preset = {
  ...presets.openai,
  takes: { ...presets.openai.takes, compaction: false },
};

/** Their keys came with the presets: nobody has one of them from before. */
const newFeatures: ReadonlySet<string> = new Set<ServerFeature>([
  "anyItems",
  "developerMessages",
  "reasoningItems",
  "repeatedRoles",
]);

function findBefore(id: string): ServerFeatures {
  if (id === "openai") return presets.openai.takes;
  if (id !== "ollama" && id !== "lmstudio") return undeclaredBefore.takes;
  return { ...plainPreset.takes, anyItems: true, developerMessages: true, repeatedRoles: true };
}

/** Servers that are known by their address need no preset. */
const hosts: readonly (readonly [RegExp, PresetId])[] = [
  [/^(\w+\.)?api\.openai\.com$/, "openai"],
  [/^chatgpt\.com$/, "chatgpt"],
  [/^openrouter\.ai$/, "openrouter"],
];

/** Whether an address has a user name or password in it: fetch refuses those, and says them in its error. */
export function holdsLogin({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}
