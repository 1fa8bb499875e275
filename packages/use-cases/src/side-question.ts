import type { CallGate, ResolvedConfig, ThreadChange } from "@unroll/harness";
import type { JournalEntry, UserInput } from "@unroll/protocol";
import { createReadingGate, type DeclinedCall } from "./reading-gate.ts";
import { toReviewSettings } from "./review/prepare-review.ts";

const declined: DeclinedCall = {
  type: "declined",
  message:
    "This is a side question: nothing may be changed and nothing may run outside the read-only sandbox. Answer with what you know and can read.",
  reason: "A side question only reads.",
};

const instructions = `<side_question>
The message above is a side question. Answer it briefly, from what you know of this conversation and can read; change nothing. The work in
progress continues elsewhere: do not continue it here.
</side_question>`;

/** The gate of a thread that answers a side question: it only reads. */
export function createSideGate(own: CallGate): CallGate {
  return createReadingGate(own, () => declined);
}

/** The settings of a thread that answers a side question. */
export function toSideSettings(config: Pick<ResolvedConfig, "sandboxSettings">): ThreadChange {
  return toReviewSettings(config);
}

/** The question, with the instructions to answer only that. */
export function toSideInput(question: string): UserInput {
  return [
    { type: "text", text: question },
    { type: "text", text: instructions, isAdded: true },
  ];
}

/** The past that a side question starts with: all of the thread, except for its queued messages. */
export function toSidePast(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter((entry) => entry.type !== "note" || entry.key !== "waiting");
}
