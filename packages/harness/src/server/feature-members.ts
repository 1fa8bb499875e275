import type { RefusedMember } from "@unroll/config";
import type { ServerFeature } from "@unroll/protocol";

/** Features that are one member of a request, by its path. */
const features: Readonly<Record<string, ServerFeature>> = {
  include: "encryptedReasoning",
  prompt_cache_key: "promptCacheKey",
  "reasoning.summary": "reasoningSummaries",
  store: "store",
};

/** The feature that a member stands for; null: it is one of others. */
export function featureOf({ path }: RefusedMember): ServerFeature | null {
  return features[path] ?? null;
}

/** The members of requests that some features are. */
export function membersOf(some: readonly ServerFeature[]): readonly RefusedMember[] {
  return Object.keys(features)
    .filter((path) => some.some((feature) => feature === features[path]))
    .map((path) => ({ path }));
}
