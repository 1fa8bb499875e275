import {
  type CompactionPlan,
  type CompactionSizes,
  type Conversation,
  dropOldest,
  estimateRequest,
  pays,
  planCompaction,
  type Summary,
  type SummaryWish,
  toCompactedItems,
} from "@unroll/compaction";
import type { SideRequests } from "@unroll/core";
import type { CompactionMethod, ResponseItem, ThreadEvent, TurnError } from "@unroll/protocol";
import { type EncryptedKind, withoutEncrypted } from "../guard/encrypted-items.ts";
import { shortenRemotely, type SummaryOutcome, writeNotes } from "./write-summary.ts";

export interface ShorteningTask {
  readonly conversation: Conversation;
  readonly sizes: CompactionSizes;
  /** One clause for people. */
  readonly cause: string;
  /** In order; each after the first where the one before failed. */
  readonly methods: readonly CompactionMethod[];
  readonly wish: SummaryWish;
  /** As of `EncryptedOptions`. */
  readonly keepsIds: boolean;
  /** The server takes no more than so many tokens of it; null: all. */
  readonly mostMaterial: number | null;
}

export type Shortening =
  /** `isFinal`: its server would not take what was before. */
  | { readonly type: "shortened"; readonly items: readonly ResponseItem[]; readonly isFinal: boolean }
  /** It is left as it is: nothing would be gained. `tokens`: the least that would remain. */
  | { readonly type: "too_little"; readonly tokens: number }
  | { readonly type: "failed"; readonly error: TurnError }
  | { readonly type: "aborted" };

/** Plans what stays, has the rest summed up, and says what came of it. The conversation itself is the caller's to change. */
export async function* shortenConversation(
  task: ShorteningTask,
  side: SideRequests,
): AsyncGenerator<ThreadEvent, Shortening> {
  const { conversation, sizes, methods } = task;
  const planned = planCompaction(conversation, sizes);
  if (planned.type === "too_little") return planned;
  const faults: string[] = [];
  for (const [index, method] of methods.entries()) {
    yield { type: "compaction.started", cause: task.cause, method, tokens: sizes.tokens };
    const outcome = yield* sumUp(method, task, side);
    if (outcome.type === "aborted") return outcome;
    if (outcome.type === "written") return yield* finish(task, method, { ...outcome, plan: planned.plan });
    faults.push(outcome.error.message);
    if (index + 1 < methods.length) yield { type: "warning", message: describeFallback(method, task, outcome.error) };
  }
  return { type: "failed", error: toError(faults) };
}

async function* sumUp(
  method: CompactionMethod,
  { conversation, wish, keepsIds, mostMaterial }: ShorteningTask,
  side: SideRequests,
): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const material = mostMaterial === null ? conversation.items : dropOldest(conversation, mostMaterial);
  const summary = { conversation, material: material ?? conversation.items, wish, keepsIds, side };
  return yield* method === "local" ? writeNotes(summary) : shortenRemotely(summary);
}

interface Written {
  readonly plan: CompactionPlan;
  readonly summary: Summary;
  readonly refused: readonly EncryptedKind[];
}

async function* finish(
  { conversation, sizes, keepsIds }: ShorteningTask,
  method: CompactionMethod,
  { plan, summary, refused }: Written,
): AsyncGenerator<ThreadEvent, Shortening> {
  const items = refused.reduce(
    (kept, kind) => withoutEncrypted(kept, kind, { keepsIds }),
    toCompactedItems(plan, summary),
  );
  const tokens = estimateRequest(items, { conversation, sizes });
  if (!pays(tokens, { conversation, sizes })) return { type: "too_little", tokens };
  yield {
    type: "compaction.completed",
    method,
    tokens_before: sizes.tokens,
    tokens_after: tokens,
    summary: summary.type === "notes" ? summary.text : null,
  };
  return { type: "shortened", items, isFinal: refused.length > 0 };
}

function describeFallback(method: CompactionMethod, { wish }: ShorteningTask, { message }: TurnError): string {
  if (method === "remote")
    return `The server did not shorten the conversation, so the model is asked for a summary: ${message}`;
  const loss = wish.focus === null && wish.prompt === null ? "" : ", which knows nothing of what you wish for it";
  return `The model wrote no summary, so the server is asked to shorten the conversation${loss}: ${message}`;
}

function toError(faults: readonly string[]): TurnError {
  const message = `The conversation could not be shortened, and stays as it is. ${faults.join(" ")}`;
  return { code: "compaction_failed", message };
}
