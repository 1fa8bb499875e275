import type { ResolvedConfig } from "@unroll/config";

const key = "model_reasoning_effort";

/**
 * The config of another model (`loaded`) for a running thread: an effort that was set in that thread holds on. Whoever set an effort, it
 * counts as the thread's here, so that a model that does not take it gets its own, with a warning, and the switch is not refused.
 */
export function carryEffort(loaded: ResolvedConfig, running: ResolvedConfig): ResolvedConfig {
  const isOfThread = running.origins.get(key)?.type === "thread" && running.reasoningEffort !== null;
  if (!isOfThread && !loaded.origins.has(key)) return loaded;
  const { reasoningEffort } = isOfThread ? running : loaded;
  return { ...loaded, reasoningEffort, origins: new Map([...loaded.origins, [key, { type: "thread" }]]) };
}
