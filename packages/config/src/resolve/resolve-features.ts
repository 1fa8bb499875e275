import type { ServerFeature, ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import { plainLocalPreset, plainPreset, type Preset, presets } from "../providers/presets.ts";
import type { ProviderTable } from "../keys/config-table.ts";
import type { PresetId } from "../keys/config-table.ts";

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
  /** What its table says itself; null: nothing. */
  readonly own: Readonly<Record<ServerFeature, boolean | null>>;
}

/** What single keys say goes over the preset; without one, they say that somebody knows the server: what they leave out is as OpenAI's. */
export function resolveFeatures({ id, table, baseUrl, isAzure, own: said }: FeatureSources): ResolvedFeatures {
  const own: Partial<ServerFeatures> = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
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
