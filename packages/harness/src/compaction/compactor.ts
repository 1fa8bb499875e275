import type { ContextMeter, MeasuredContext } from "@unroll/compaction";
import type { SideRequests, StepFacts, StepGuard, StepVerdict } from "@unroll/core";
import type { ThreadEvent, TurnError } from "@unroll/protocol";
import { groupDigits } from "@unroll/text";
import type { CompactionNeed, CompactorOptions } from "./find-need.ts";
import { explainLarger } from "../window/explain-window.ts";
import type { CompactionPreview } from "./preview-compaction.ts";

/** Compacts a thread: automatically if it is nearly too long or a server says so, and on demand. */
export interface Compactor {
  /** For every turn. */
  readonly guard: StepGuard;
  /**
   * The guards of a turn that compacts the thread and asks the model for nothing else. `focus`
   * null: no special focus.
   */
  onDemand(focus: string | null): readonly StepGuard[];
  /** An estimate of a compaction on demand. */
  preview(context: MeasuredContext): Promise<CompactionPreview>;
}

const go: StepVerdict = { type: "go" };

export function createCompactor(options: CompactorOptions): Compactor {
  const { notes } = options;
  let meter: ContextMeter | null = null;

  async function openMeter(): Promise<ContextMeter> {
    const { createContextMeter } = await import("@unroll/compaction");
    return (meter ??= createContextMeter(options.headBytes));
  }

  async function* shorten(need: CompactionNeed, side: SideRequests): AsyncGenerator<ThreadEvent, StepVerdict> {
    const { toCompactionTask } = await import("./to-compaction-task.ts");
    const { compactTranscript } = await import("./compact-transcript.ts");
    const task = toCompactionTask(need, { options, canBeRemote: side.compact !== null });
    const outcome = yield* compactTranscript(task, side);
    const limit = options.config().compaction.tokenLimit;
    switch (outcome.type) {
      case "shortened":
        need.meter.reset();
        if (notes.get("notCompacted") !== null) notes.set("notCompacted", null);
        return { type: "compact", items: outcome.items, cause: need.cause, isFinal: outcome.isFinal };
      case "too_little":
        notes.set("notCompacted", { tokens: need.tokens, limit });
        yield { type: "warning", message: describeTooLittle(need, outcome.tokens, options) };
        return go;
      case "failed":
        // there may be room left: the server says when there is none
        if (need.type !== "limit" || !outcome.isAboutSummary) return toStop(outcome);
        notes.set("notCompacted", { tokens: need.tokens, limit });
        yield { type: "warning", message: outcome.error.message };
        return go;
      case "aborted":
        return go;
    }
  }

  async function* guard(facts: StepFacts, side: SideRequests): AsyncGenerator<ThreadEvent, StepVerdict> {
    if (!mayNeed(facts, options)) return go;
    const { findNeed } = await import("./find-need.ts");
    const need = findNeed(facts, { options, meter: await openMeter() });
    return need === null ? go : yield* shorten(need, side);
  }

  async function* shortenOnDemand(
    facts: StepFacts,
    side: SideRequests,
    focus: string | null,
  ): AsyncGenerator<ThreadEvent, StepVerdict> {
    const { toDemand } = await import("./find-need.ts");
    return yield* shorten(toDemand(facts, await openMeter(), focus), side);
  }

  return {
    guard: { before: (facts, _signal, side) => guard(facts, side) },
    onDemand: (focus) => [onNoFailure((facts, side) => shortenOnDemand(facts, side, focus)), onNoFailure(end)],
    async preview(context) {
      const { toDemand } = await import("./find-need.ts");
      const { previewCompaction } = await import("./preview-compaction.ts");
      return previewCompaction(toDemand(context, await openMeter(), null), options);
    },
  };
}

/** A token has a byte at least: what is far from any limit needs no closer look. */
function mayNeed({ bytes, lastUsage, failure }: StepFacts, { config, headBytes }: CompactorOptions): boolean {
  const { modelFamily, compaction } = config();
  if (failure !== null || compaction.tokenLimit === null) return failure !== null;
  const counted = lastUsage === null ? 0 : lastUsage.input_tokens + lastUsage.output_tokens;
  return counted + bytes + headBytes >= Math.min(compaction.tokenLimit, 0.9 * modelFamily.contextWindow);
}

/** Share of the window. */
const smallShare = 0.6;

/** A guard that leaves a failed request to the others. */
function onNoFailure(
  before: (facts: StepFacts, side: SideRequests) => AsyncGenerator<ThreadEvent, StepVerdict>,
): StepGuard {
  return {
    async *before(facts, _signal, side) {
      return facts.failure === null ? yield* before(facts, side) : go;
    },
  };
}

// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* end(): AsyncGenerator<ThreadEvent, StepVerdict> {
  return { type: "end" };
}

function toStop({ error, failure }: Pick<StepFacts, "failure"> & { readonly error: TurnError }): StepVerdict {
  return { type: "stop", error, ...(failure && { failure }) };
}

/** `rest`: the least that would remain. */
function describeTooLittle({ type, tokens }: CompactionNeed, rest: number, { config }: CompactorOptions): string {
  const { modelFamily, provider, compaction } = config();
  const { contextWindow: window, windowOrigin } = modelFamily;
  const left = groupDigits(Math.ceil(rest));
  // what always stays leaves no room for the work
  if (rest > smallShare * window && (type === "overflow" || windowOrigin === "server"))
    return `Not compacted: instructions, tools, the first messages and your last one take about ${left} tokens, and the context window has ${groupDigits(window)}. For more room, ${explainLarger(provider)}, or start a new thread.`;
  const ownLimit = compaction.tokenLimit === null ? "" : ` (limit: ${groupDigits(compaction.tokenLimit)})`;
  const why = type === "overflow" ? " (too long for the model's server)" : ownLimit;
  const kept = `${left} of ${groupDigits(tokens)} tokens`;
  return `Not compacted: about ${kept} would remain${why}, and the provider's cache would be lost. Start a new thread to send less.`;
}
