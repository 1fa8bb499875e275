import type { CompactionSizes, CompactionInput } from "@unroll/compaction";
import type { CompactionMethod } from "@unroll/protocol";
import type { CompactionNeed, CompactorOptions } from "./find-need.ts";
import type { ShorteningTask } from "./compact-transcript.ts";
import { planRoom } from "./summary-room.ts";

interface Means {
  readonly options: CompactorOptions;
  readonly canBeRemote: boolean;
}

/** Share of the limit; the rest is room for work until the next compaction. */
const targetShare = 0.8;
/**
 * Share of a size that a server calls too long without giving its limit: for the result, and for
 * the material of a summary.
 */
const overflowShare = 0.7;
const fullShare = 0.9;
/** In tokens: with less room for its answer a request is of no use. */
const leastAnswer = 160;

export function toCompactionTask(need: CompactionNeed, { options, canBeRemote }: Means): ShorteningTask {
  const wish = { prompt: options.prompt, focus: need.focus, mostWords: null };
  const isRemote = canBeRemote && options.config().provider.takes.compaction;
  // a server takes no wishes
  const both: readonly CompactionMethod[] =
    wish.prompt === null && wish.focus === null ? ["remote", "local"] : ["local", "remote"];
  const conversation = toCompactionInput(need, options);
  const sizes = toSizes(need, options);
  const { tokens, headTokens } = sizes;
  const window = findWindow(need, options);
  return {
    conversation,
    sizes,
    cause: need.cause,
    methods: isRemote ? both : ["local"],
    wish,
    keepsIds: options.config().provider.azure,
    room: planRoom({ conversation, wish, window, tokens, headTokens }),
    isNeeded: need.type === "overflow",
    learnWindow: options.learnWindow ?? (() => {}),
  };
}

/** Share of the window: a server that refuses this much may keep the rest free for the response. */
const freeShare = 0.8;

/** In tokens: what the server takes, as far as that is known. One that refuses far less than it is known to take has a smaller window. */
function findWindow({ type, tokens }: CompactionNeed, { config }: CompactorOptions): number {
  const { contextWindow } = config().modelFamily;
  if (type !== "overflow") return contextWindow;
  return tokens < freeShare * contextWindow ? overflowShare * tokens : Math.min(tokens, contextWindow);
}

export function toCompactionInput({ items, meter }: CompactionNeed, { notes }: CompactorOptions): CompactionInput {
  const plan = notes.get("plan");
  return {
    items,
    estimate: (some) => meter.estimator.estimate(some),
    plan: plan?.steps.map(({ text, completed }) => `${completed ? "[x]" : "[ ]"} ${text}`).join("\n") ?? null,
  };
}

export function toSizes(need: CompactionNeed, options: CompactorOptions): CompactionSizes {
  const { compaction, modelFamily } = options.config();
  const full = fullShare * modelFamily.contextWindow;
  const limit =
    compaction.scope === "total" && compaction.tokenLimit !== null
      ? Math.min(compaction.tokenLimit, modelFamily.contextWindow)
      : full;
  const { tokens } = need;
  const headTokens = need.meter.estimator.estimateBytes(options.headBytes);
  switch (need.type) {
    case "limit":
      return { tokens, target: targetShare * limit, limit, headTokens };
    case "overflow": {
      const window = findWindow(need, options);
      const target = Math.min(overflowShare * tokens, targetShare * limit);
      return { tokens, target, limit: Math.min(limit, window), headTokens, most: window - leastAnswer };
    }
    case "demand":
      return { tokens, target: Infinity, limit, headTokens };
  }
}
