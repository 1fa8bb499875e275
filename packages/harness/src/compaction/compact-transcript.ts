import {
  type CompactionPlan,
  type CompactionSizes,
  type CompactionInput,
  cutNotes,
  estimateRequest,
  isBelowLimit,
  isWorthwhile,
  planCompaction,
  type Summary,
  type SummaryWish,
  toCompactedItems,
} from "@unroll/compaction";
import type { SideRequests } from "@unroll/core";
import type { CompactionMethod, ResponseItem, ThreadEvent, TurnError } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import { type EncryptedKind, withoutEncrypted } from "../guard/encrypted-items.ts";
import type { SummaryRoom } from "./summary-room.ts";
import { shortenRemotely, type SummaryOutcome, writeNotes } from "./write-summary.ts";

export interface ShorteningTask {
  readonly conversation: CompactionInput;
  readonly sizes: CompactionSizes;
  /** One clause for people. */
  readonly cause: string;
  /** In order; each after the first where the one before failed. */
  readonly methods: readonly CompactionMethod[];
  readonly wish: SummaryWish;
  /** As of `EncryptedOptions`. */
  readonly keepsIds: boolean;
  /** How the request for a summary fits into the context window. */
  readonly room: SummaryRoom;
  /** Whether the server does not take the conversation as it is: then it is compacted even without a summary. */
  readonly isNeeded: boolean;
  /** As of `CompactorOptions`. */
  readonly learnWindow: (contextWindow: number) => void;
}

export type Shortening =
  /** `isFinal`: its server would not take what was before. */
  | { readonly type: "shortened"; readonly items: readonly ResponseItem[]; readonly isFinal: boolean }
  /** It is left as it is: nothing would be gained. `tokens`: the least that would remain. */
  | { readonly type: "too_little"; readonly tokens: number }
  /** `isAboutSummary`: the server answers, and there is no summary to be had. */
  | { readonly type: "failed"; readonly error: TurnError; readonly isAboutSummary: boolean }
  | { readonly type: "aborted" };

/** Plans what stays, has the rest summed up, and says what came of it. The conversation itself is the caller's to change. */
export async function* compactTranscript(
  task: ShorteningTask,
  side: SideRequests,
): AsyncGenerator<ThreadEvent, Shortening> {
  const { conversation, sizes, methods } = task;
  const planned = planCompaction(conversation, sizes);
  if (planned.type === "too_little") return planned;
  const faults: TurnError[] = [];
  for (const [index, method] of methods.entries()) {
    yield { type: "compaction.started", cause: task.cause, method, tokens: sizes.tokens };
    const outcome = yield* sumUp(method, task, side);
    if (outcome.type === "aborted") return outcome;
    if (outcome.type === "written") return yield* finish(task, method, { ...outcome, plan: planned.plan });
    faults.push(outcome.error);
    if (index + 1 < methods.length) yield { type: "warning", message: describeFallback(method, task, outcome.error) };
  }
  const isAboutSummary = faults.every(({ code }) => summaryFaults.has(code));
  if (!task.isNeeded || !isAboutSummary) return { type: "failed", error: toError(faults), isAboutSummary };
  yield { type: "warning", message: describeLoss(faults) };
  return yield* finish(task, "local", { plan: planned.plan, summary: noSummary, refused: [] });
}

async function* sumUp(
  method: CompactionMethod,
  task: ShorteningTask,
  side: SideRequests,
): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  return yield* method === "local" ? writeNotes({ ...task, side }) : shortenRemotely({ ...task, side });
}

/** What no other request to the same server would change: it has no room for a summary, or the model writes none. */
const summaryFaults: ReadonlySet<string> = new Set(["context_length_exceeded", "no_notes", "not_supported"]);

/** For the model, in the place of notes. */
const noSummary: Summary = {
  type: "notes",
  text: "No notes could be written: the context window had no room for them. Look at the files and at the state of the work before you go on.",
};

interface Written {
  readonly plan: CompactionPlan;
  readonly summary: Summary;
  readonly refused: readonly EncryptedKind[];
}

async function* finish(
  task: ShorteningTask,
  method: CompactionMethod,
  written: Written,
): AsyncGenerator<ThreadEvent, Shortening> {
  const { conversation, sizes } = task;
  const summary = fitSummary(task, written);
  const items = toItems(task, { ...written, summary });
  const tokens = estimateRequest(items, { conversation, sizes });
  const isKept = isWorthwhile(tokens, { conversation, sizes }) || isBelowLimit(tokens, sizes);
  if (!isKept) return { type: "too_little", tokens };
  yield {
    type: "compaction.completed",
    method,
    tokens_before: sizes.tokens,
    tokens_after: tokens,
    summary: summary.type === "notes" ? summary.text : null,
  };
  return { type: "shortened", items, isFinal: written.refused.length > 0 };
}

function toItems({ keepsIds }: ShorteningTask, { plan, summary, refused }: Written): readonly ResponseItem[] {
  return refused.reduce((kept, kind) => withoutEncrypted(kept, kind, { keepsIds }), toCompactedItems(plan, summary));
}

/** Notes that are longer than what is left for them are cut, where the conversation cannot stay as it is. */
function fitSummary(task: ShorteningTask, written: Written): Summary {
  const { conversation, sizes, isNeeded } = task;
  const { summary } = written;
  if (!isNeeded || summary.type !== "notes" || sizes.most === undefined) return summary;
  const empty = estimateRequest(toItems(task, { ...written, summary: { type: "notes", text: "" } }), {
    conversation,
    sizes,
  });
  return { type: "notes", text: cutNotes(summary.text, Math.max(0, sizes.most - empty) * bytesPerToken) };
}

function describeFallback(method: CompactionMethod, { wish }: ShorteningTask, { message }: TurnError): string {
  if (method === "remote")
    return `The server did not shorten the conversation, so the model is asked for a summary: ${message}`;
  const loss = wish.focus === null && wish.prompt === null ? "" : ", which knows nothing of what you wish for it";
  return `The model wrote no summary, so the server is asked to shorten the conversation${loss}: ${message}`;
}

function describeLoss(faults: readonly TurnError[]): string {
  const reasons = faults.map(({ message }) => message).join(" ");
  return `The old part of the conversation is removed without a summary, because none could be written: ${reasons}`;
}

function toError(faults: readonly TurnError[]): TurnError {
  const reasons = faults.map(({ message }) => message).join(" ");
  const message = `The conversation could not be shortened, and stays as it is. ${reasons}`;
  return { code: "compaction_failed", message };
}
