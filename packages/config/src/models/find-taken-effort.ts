import type { ModelFamily, ReasoningEffort } from "@unroll/protocol";

/** Those that some model is known to take, least first; a server may take more. */
export const knownEfforts: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
  "ultra",
  "persistent",
];

/**
 * The effort to send where this one is wanted: itself where the model takes it or nobody knows what it takes, else the nearest below,
 * else its least one. Null: none, since the model takes none or the word is not known.
 */
export function findTakenEffort(
  wanted: ReasoningEffort,
  { efforts }: Pick<ModelFamily, "efforts">,
): ReasoningEffort | null {
  if (efforts === null || efforts.includes(wanted)) return wanted;
  const place = knownEfforts.indexOf(wanted);
  if (place === -1) return null;
  const below = efforts.filter((effort) => knownEfforts.indexOf(effort) < place);
  return below.at(-1) ?? efforts[0] ?? null;
}
