import { openServerNotes, saveProviderList, type ResolvedConfig } from "@unroll/config";
import { type Host, reachProvider } from "@unroll/harness";

export interface RefreshOptions {
  readonly host: Host;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** The result of asking a provider for its models. */
export type RefreshedModels =
  | { readonly type: "kept"; readonly count: number }
  /** The provider answers, but not with a list of models. */
  | { readonly type: "no_models"; readonly baseUrl: string }
  | Exclude<Awaited<ReturnType<typeof reachProvider>>, { readonly type: "reached" }>;

/** Asks the provider for its list and keeps it, and forgets what it refused so far. */
export async function refreshModels(config: ResolvedConfig, options: RefreshOptions): Promise<RefreshedModels> {
  const outcome = await fetchModels(config, options);
  if (outcome.type === "kept") await openServerNotes(config.codexHome).forget(config.provider.id);
  return outcome;
}

/** Asks the provider for its list and keeps it. */
export async function fetchModels(config: ResolvedConfig, options: RefreshOptions): Promise<RefreshedModels> {
  const { codexHome, provider } = config;
  const outcome = await reachProvider(config, options);
  if (outcome.type !== "reached") return outcome;
  if (outcome.models === null) return { type: "no_models", baseUrl: outcome.baseUrl };
  const { tables } = await saveProviderList(codexHome, provider.id, outcome.entries);
  return { type: "kept", count: Object.keys(tables).length };
}
