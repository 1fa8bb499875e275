import { type StepGuard, toEpochEvent } from "@unroll/core";
import type { ThreadEvent, TurnOutcome } from "@unroll/protocol";
import type { Compactor } from "../compaction/compactor.ts";
import type { CompactionPreview } from "../compaction/preview-compaction.ts";
import { HarnessError } from "../harness-error.ts";
import type { TurnSlot } from "./thread-end.ts";
import type { ThreadBase } from "../base/thread-base.ts";

/** How a person shortens the conversation of a thread. */
export interface ThreadCompaction {
  /**
   * Shortens the conversation now, as a turn of its own: a summary takes the place of what is old; the initial messages, what
   * people said, the plan and the last steps stay as they are (docs/compaction.md). Events, return value and errors are those
   * of `run`. It fails where no summary can be had, and leaves the conversation as it was then; where little would be gained it
   * does nothing but warn.
   */
  compact(options: CompactOptions): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** What `compact` would leave. Asks no server. */
  previewCompaction(): Promise<CompactionPreview>;
  /**
   * Returns to the conversation before it was last shortened, with what came since behind it: the next request begins with the
   * bytes of before. Asked again, to the one before that, which is read from the store; of a thread that is not kept only one is at
   * hand. Told by `epoch.opened`. Throws `HarnessError` `thread_busy` while a turn runs, and `nothing_to_undo`, also where its model
   * changed since, or what is encrypted in it was refused.
   */
  undoCompaction(): Promise<void>;
}

interface CompactOptions {
  /** What the summary is to dwell on. Absent: nothing of its own. */
  readonly focus?: string;
  /** Interrupts it: the conversation stays as it was. */
  readonly signal: AbortSignal;
}

interface CompactionParts extends Pick<ThreadBase, "own" | "state" | "feed"> {
  readonly serving: () => { readonly compactor: Compactor };
}

/** `runGuards`: a turn in which nobody says anything; the model is told no news in it, the next one tells them. */
export function createThreadCompaction(
  { own, state, feed, serving }: CompactionParts,
  turns: TurnSlot,
  runGuards: (guards: readonly StepGuard[], signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
): ThreadCompaction {
  async function undo(): Promise<void> {
    let shared = state.undoEpoch();
    if (shared === null) {
      await state.settle();
      shared = state.undoEpoch(await own.readEntries());
    }
    if (shared === null) throw new HarnessError("nothing_to_undo", nothingToUndo);
    feed.tell(toEpochEvent(state.transcript, "the last compaction was undone", shared));
    await state.settle();
  }

  return {
    compact: ({ focus = null, signal }) => turns.run(() => runGuards(serving().compactor.onDemand(focus), signal)),
    previewCompaction: async () => serving().compactor.preview({ ...state, items: state.transcript.items }),
    undoCompaction: () => turns.hold(undo),
  };
}

const nothingToUndo =
  "The conversation was not shortened, all of that was undone already, or its server would not take what was before.";
