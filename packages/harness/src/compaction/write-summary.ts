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
import { isToolCall, isToolOutput, type ResponseItem, type ThreadEvent, type TurnError } from "@unroll/protocol";
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
  const fault = findFault(items);
  if (fault !== null) return { type: "failed", error: { code: "invalid_answer", message: fault } };
  return { type: "written", summary: { type: "items", items }, refused: [] };
}

/** Null: the conversation can go on with these. */
function findFault(items: readonly ResponseItem[]): string | null {
  if (items.length === 0) return "The server's answer holds no compacted conversation.";
  const [seen, open] = [new Set<string>(), new Set<string>()];
  for (const item of items) {
    if (isToolCall(item) && !seen.has(item.call_id)) {
      seen.add(item.call_id);
      open.add(item.call_id);
    } else if (isToolCall(item) || (isToolOutput(item) && !open.delete(item.call_id))) return unpaired;
  }
  return open.size === 0 ? null : unpaired;
}

const unpaired = "The server's compacted conversation holds a call without its output, or an output without its call.";

const incapable = {
  type: "failed",
  error: { code: "not_supported", message: "The model's server shortens no conversations by itself." },
} as const;
