import type { CompactionSizes, Conversation } from "@unroll/compaction";
import { identifyMessage } from "@unroll/prompt";
import type { CompactionMethod } from "@unroll/protocol";
import type { CompactionNeed, CompactorOptions } from "./compaction-need.ts";
import type { ShorteningTask } from "./shorten-conversation.ts";

interface Means {
  readonly options: CompactorOptions;
  readonly canBeRemote: boolean;
}

/** Of the limit: room for the work until the next time. */
const targetShare = 0.8;
/** Of what a server says is too long: to have is at most so much, and to sum up at once. */
const overflowShare = 0.7;
const fullShare = 0.9;

export function toShorteningTask(need: CompactionNeed, { options, canBeRemote }: Means): ShorteningTask {
  const wish = { prompt: options.prompt, focus: need.focus };
  const isRemote = canBeRemote && options.config().provider.takes.compaction;
  // a server takes no wishes
  const both: readonly CompactionMethod[] =
    wish.prompt === null && wish.focus === null ? ["remote", "local"] : ["local", "remote"];
  const conversation = toConversation(need, options);
  return {
    conversation,
    sizes: toSizes(need, options),
    cause: need.cause,
    methods: isRemote ? both : ["local"],
    wish,
    keepsIds: options.config().provider.azure,
    mostMaterial: need.type === "overflow" ? overflowShare * conversation.estimate(need.items) : null,
  };
}

export function toConversation({ items, meter }: CompactionNeed, { notes }: CompactorOptions): Conversation {
  const plan = notes.get("plan");
  return {
    items,
    identify: identifyMessage,
    estimate: (some) => meter.estimator.estimate(some),
    plan: plan?.steps.map(({ text, completed }) => `${completed ? "[x]" : "[ ]"} ${text}`).join("\n") ?? null,
  };
}

export function toSizes(need: CompactionNeed, { config, headBytes }: CompactorOptions): CompactionSizes {
  const { compaction, modelFamily } = config();
  const full = fullShare * modelFamily.contextWindow;
  const limit =
    compaction.scope === "total" && compaction.tokenLimit !== null
      ? Math.min(compaction.tokenLimit, modelFamily.contextWindow)
      : full;
  const { tokens } = need;
  const headTokens = need.meter.estimator.estimateBytes(headBytes);
  switch (need.type) {
    case "limit":
      return { tokens, target: targetShare * limit, limit, headTokens };
    case "overflow":
      return { tokens, target: overflowShare * tokens, limit: Math.min(limit, tokens), headTokens };
    case "demand":
      return { tokens, target: Infinity, limit, headTokens };
  }
}
