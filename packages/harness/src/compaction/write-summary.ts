import {
  askForNotesAgain,
  type Conversation,
  createSummaryRequest,
  dropOldest,
  readNotes,
  readServerItems,
  type Summary,
  type SummaryWish,
} from "@unroll/compaction";
import type { SideRequests } from "@unroll/core";
import type { ResponseItem, ThreadEvent, TurnError } from "@unroll/protocol";
import { dropEncrypted, type EncryptedKind, isStaleContent } from "../guard/encrypted-items.ts";

export type SummaryOutcome =
  /** `refused`: what the server could not read any more, when it was asked. */
  | { readonly type: "written"; readonly summary: Summary; readonly refused: readonly EncryptedKind[] }
  | { readonly type: "failed"; readonly error: TurnError }
  | { readonly type: "aborted" };

export interface SummaryTask {
  readonly conversation: Conversation;
  /** What is summed up: the conversation, or what of it fits. */
  readonly material: readonly ResponseItem[];
  readonly wish: SummaryWish;
  /** As of `EncryptedOptions`. */
  readonly keepsIds: boolean;
  readonly side: SideRequests;
}

/** How often a request that a server refuses is made again with less. */
const mostDrops = 4;
const keptShare = 0.75;

/**
 * Asks the model for notes, by the live prompt and one message more. What does not fit loses its oldest part; what the
 * server encrypted and can no longer read is left out, or a long thread could neither be shortened nor go on.
 */
export async function* writeNotes(task: SummaryTask): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const { wish, side } = task;
  const request = createSummaryRequest(wish);
  let { material } = task;
  const refused: EncryptedKind[] = [];
  for (let drops = 0; ; drops++) {
    const answer = yield* side.respond([...material, request]);
    if (answer.type === "aborted") return answer;
    if (answer.type === "completed") {
      const taken = yield* takeNotes([...material, request], answer.items, side);
      return taken.type === "written" ? { ...taken, refused } : taken;
    }
    const less = drops === mostDrops ? null : toLess(task, material, answer.error);
    if (less === null) return answer;
    material = less.items;
    if (less.dropped !== null) refused.push(less.dropped);
  }
}

/** What to ask about after a request about the material was refused; null: it is of no use. */
function toLess(
  { conversation, keepsIds }: SummaryTask,
  material: readonly ResponseItem[],
  error: TurnError,
): { readonly items: readonly ResponseItem[]; readonly dropped: EncryptedKind | null } | null {
  if (isStaleContent(error)) return dropEncrypted(material, { keepsIds });
  if (error.code !== "context_length_exceeded") return null;
  const items = dropOldest(conversation, keptShare * conversation.estimate(material));
  return items === null ? null : { items, dropped: null };
}

/** A model that answers by a tool call, or not at all, is asked once more. */
async function* takeNotes(
  sent: readonly ResponseItem[],
  answer: readonly ResponseItem[],
  side: SideRequests,
): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const notes = readNotes(answer);
  if (notes !== null) return toNotes(notes);
  const taken = new Set(sent.map((item) => ("call_id" in item ? item.call_id : "")));
  const second = yield* side.respond([...sent, ...askForNotesAgain(answer, (callId) => taken.has(callId))]);
  if (second.type !== "completed") return second;
  const late = readNotes(second.items);
  if (late !== null) return toNotes(late);
  const message = "The model was asked twice for a summary and wrote none.";
  return { type: "failed", error: { code: "invalid_answer", message } };
}

function toNotes(text: string): SummaryOutcome {
  return { type: "written", summary: { type: "notes", text }, refused: [] };
}

/** Has the server shorten the conversation. */
export async function* shortenRemotely({
  conversation,
  material,
  side,
}: SummaryTask): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const answer = side.compact === null ? incapable : yield* side.compact(material);
  if (answer.type !== "completed") return answer;
  const items = readServerItems(answer.items, conversation.items);
  if (items.length > 0) return { type: "written", summary: { type: "items", items }, refused: [] };
  const message = "The server's answer holds no shortened conversation.";
  return { type: "failed", error: { code: "invalid_answer", message } };
}

const incapable = {
  type: "failed",
  error: { code: "not_supported", message: "The model's server shortens no conversations by itself." },
} as const;
