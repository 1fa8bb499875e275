import type { ModelFamily } from "@unroll/protocol";
import { familiesByPrefix } from "./model-families.ts";

/** The family of a model by the longest prefix of its name that is known; null for an unknown model. */
export function findModelFamily(model: string): ModelFamily | null {
  // Hubs put the vendor in front: `openai/gpt-oss-20b`.
  const name = model.slice(model.lastIndexOf("/") + 1);
  const [longest] = Object.keys(familiesByPrefix)
    .filter((prefix) => name.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (familiesByPrefix[longest] ?? null);
}
