import { type NoUndo, type StepGuard, toEpochEvent } from "@unroll/core";
import type { ThreadEvent, TurnOutcome } from "@unroll/protocol";
import type { Compactor } from "../compaction/compactor.ts";
import type { CompactionPreview } from "../compaction/preview-compaction.ts";
import { HarnessError } from "../harness-error.ts";
import type { TurnSlot } from "./thread-end.ts";
import type { ThreadRoom } from "./serving.ts";

/** Compaction of a thread on demand. */
export interface ThreadCompaction {
  /**
   * Compacts the thread now, as a turn of its own. A summary replaces old items; the initial
   * messages, your messages, the plan and the last steps stay (docs/compaction.md). Events, return
   * value and errors are those of `run`. If no summary can be made, it fails and the thread stays
   * as it was. If it would save little, it only warns.
   */
  compact(options: CompactOptions): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** An estimate of what `compact` would leave. Asks no server. */
  previewCompaction(): Promise<CompactionPreview>;
  /**
   * Returns to the thread before its last compaction, followed by what came since: the next request
   * begins with the earlier bytes. A further call returns to the compaction before that, which is
   * read from the store; a thread that is not saved remembers only one. Announced by
   * `epoch.opened`. Throws `HarnessError` `thread_busy` while a turn runs. Throws `nothing_to_undo`
   * if there is none, if the model has changed since, or if the server refused encrypted items in
   * it.
   */
  undoCompaction(): Promise<void>;
}

interface CompactOptions {
  /** The focus of the summary. Absent: nothing special. */
  readonly focus?: string;
  /** Interrupts it: the thread stays as it was. */
  readonly signal: AbortSignal;
}

interface CompactionParts extends Pick<ThreadRoom, "own" | "state" | "feed" | "fallback"> {
  readonly serving: () => { readonly compactor: Compactor };
}

/** `runGuards` runs a turn without a user message; pending messages to the model wait for the next turn. */
export function createThreadCompaction(
  { own, state, feed, serving, fallback }: CompactionParts,
  turns: TurnSlot,
  runGuards: (guards: () => readonly StepGuard[], signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
): ThreadCompaction {
  async function undo(): Promise<void> {
    state.closeCalls();
    let shared = state.undoEpoch();
    if (shared === null) {
      await state.settle();
      shared = state.undoEpoch(await own.readEntries());
    }
    if (shared === null) {
      throw new HarnessError("nothing_to_undo", `Nothing to undo: ${explainNoUndo(state.transcript.noUndo)}.`);
    }
    feed.tell(toEpochEvent(state.transcript, "the last compaction was undone", shared));
    await state.settle();
  }

  return {
    compact: ({ focus = null, signal }) =>
      turns.run(() => runGuards(() => [...serving().compactor.onDemand(focus), fallback], signal)),
    previewCompaction: async () => serving().compactor.preview({ ...state, items: state.transcript.items }),
    undoCompaction: () => turns.hold(undo),
  };
}

function explainNoUndo(reason: NoUndo): string {
  switch (reason.type) {
    case "first":
      return "the thread was never compacted";
    case "undone":
      return "every compaction is already undone";
    case "forgotten":
      return "a thread that is not saved remembers only its last compaction";
    case "final":
      return `the older items can no longer be sent since the thread was rebuilt (${reason.cause})`;
  }
}
