import type { ServerFeature, ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import { plainLocalPreset, plainPreset } from "../providers/presets/plain.ts";
import type { Preset } from "../providers/presets/preset.ts";
import { presets } from "../providers/presets/presets.ts";
import type { ProviderTable } from "../schema/config-table.ts";
import type { PresetId } from "../schema/preset-ids.ts";

/** What a provider takes, and who says so. */
export interface ResolvedFeatures {
  readonly takes: ServerFeatures;
  /** Null: nobody says what it is, so it gets what most servers take. */
  readonly preset: PresetId | null;
  /** What it was sent before providers had presets: threads that were kept then go on so. */
  readonly took: ServerFeatures;
  readonly threadHeaders: ThreadHeaders;
}

export interface FeatureSources {
  readonly id: string;
  readonly table: ProviderTable;
  readonly baseUrl: URL;
  readonly isAzure: boolean;
}

/** What single keys say goes over the preset; without one, they say that somebody knows the server: what they leave out is as OpenAI's. */
export function resolveFeatures({ id, table, baseUrl, isAzure }: FeatureSources): ResolvedFeatures {
  const own = readKeys(table);
  const preset = table.preset ?? (isAzure ? "azure" : findByHost(baseUrl));
  const isDeclared = Object.keys(own).some((feature) => !newFeatures.has(feature));
  const base = preset === null ? findUndeclared({ isDeclared, baseUrl }) : presets[preset];
  return {
    preset,
    takes: { ...base.takes, ...own },
    took: { ...findBefore(id), ...own },
    threadHeaders: table.thread_headers ?? base.threadHeaders,
  };
}

function findUndeclared({ isDeclared, baseUrl }: { readonly isDeclared: boolean; readonly baseUrl: URL }): Preset {
  if (isDeclared) return undeclaredBefore;
  return loopback.test(baseUrl.hostname) ? plainLocalPreset : plainPreset;
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

const hosts: readonly (readonly [RegExp, PresetId])[] = [
  [/^(\w+\.)?api\.openai\.com$/, "openai"],
  [/^chatgpt\.com$/, "chatgpt"],
  [/^openrouter\.ai$/, "openrouter"],
];

/** A server that is known by its address needs no preset. */
function findByHost({ hostname }: URL): PresetId | null {
  return hosts.find(([host]) => host.test(hostname))?.[1] ?? null;
}

/** What a table says itself. */
function readKeys(table: ProviderTable): Partial<ServerFeatures> {
  const keys: Readonly<Record<keyof ServerFeatures, boolean | undefined>> = {
    anyItems: table.supports_any_items,
    compaction: table.supports_compaction,
    customTools: table.supports_custom_tools,
    developerMessages: table.supports_developer_messages,
    encryptedReasoning: table.supports_encrypted_reasoning,
    images: table.supports_images,
    promptCacheKey: table.supports_prompt_cache_key,
    reasoningItems: table.supports_reasoning_items,
    reasoningSummaries: table.supports_reasoning_summaries,
    repeatedRoles: table.supports_repeated_roles,
    store: table.supports_store,
    webSearch: table.supports_web_search,
  };
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}
