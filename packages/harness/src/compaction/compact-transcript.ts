import {
  askForNotesAgain,
  type CompactionInput,
  type CompactionPlan,
  type CompactionSizes,
  createSummaryRequest,
  cutNotes,
  estimateRequest,
  fitMaterial,
  isBelowLimit,
  isWorthwhile,
  planCompaction,
  readNotes,
  readServerItems,
  type Summary,
  summaryInstructions,
  type SummaryWish,
  toCompactedItems,
} from "@unroll/compaction";
import type { SideRequests, SideResponse } from "@unroll/core";
import {
  type CompactionMethod,
  isToolCall,
  isToolOutput,
  type ModelError,
  type ResponseItem,
  type ThreadEvent,
  type TurnError,
} from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import { dropEncrypted, type EncryptedKind, isStaleContent, withoutEncrypted } from "../guard/stale-content.ts";
import { type SummaryRoom, toAnswerTokens } from "./summary-room.ts";

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

type Shortening =
  /** `isFinal`: its server would not take what was before. */
  | { readonly type: "shortened"; readonly items: readonly ResponseItem[]; readonly isFinal: boolean }
  /** It is left as it is: nothing would be gained. `tokens`: the least that would remain. */
  | { readonly type: "too_little"; readonly tokens: number }
  /** `isAboutSummary`: the server responds, but gives no summary. `failure`: of the last request; null: it did not fail. */
  | {
      readonly type: "failed";
      readonly error: TurnError;
      readonly isAboutSummary: boolean;
      readonly failure: ModelError | null;
    }
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
  let failure: ModelError | null = null;
  for (const [index, method] of methods.entries()) {
    yield { type: "compaction.started", cause: task.cause, method, tokens: sizes.tokens };
    const outcome = yield* sumUp(method, task, side);
    if (outcome.type === "aborted") return outcome;
    if (outcome.type === "written") return yield* finish(task, method, { ...outcome, plan: planned.plan });
    faults.push(outcome.error);
    ({ failure } = outcome);
    if (index + 1 < methods.length) yield { type: "warning", message: describeFallback(method, task, outcome.error) };
  }
  const isAboutSummary = faults.every(({ code }) => summaryFaults.has(code));
  if (!task.isNeeded || !isAboutSummary) return { type: "failed", error: toError(faults), isAboutSummary, failure };
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

/**
 * Errors that another request to the same server would not change: it has no room for a summary, or
 * the model writes none.
 */
const summaryFaults: ReadonlySet<string> = new Set(["context_length_exceeded", "no_notes", "not_supported"]);

/** For the model, instead of notes. */
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
    return `The server did not compact the thread, so the model is asked for a summary: ${message}`;
  const loss = wish.focus === null && wish.prompt === null ? "" : ", without your instructions for it";
  return `The model wrote no summary, so the server is asked to compact the thread${loss}: ${message}`;
}

function describeLoss(faults: readonly TurnError[]): string {
  const reasons = faults.map(({ message }) => message).join(" ");
  return `The old part of the thread is removed without a summary, because none could be written: ${reasons}`;
}

function toError(faults: readonly TurnError[]): TurnError {
  const reasons = faults.map(({ message }) => message).join(" ");
  const message = `The thread could not be compacted, and stays as it was. ${reasons}`;
  return { code: "compaction_failed", message };
}

type SummaryOutcome =
  /** `refused`: what the server could not read any more, when it was asked. */
  | { readonly type: "written"; readonly summary: Summary; readonly refused: readonly EncryptedKind[] }
  | { readonly type: "failed"; readonly error: TurnError; readonly failure: ModelError | null }
  | { readonly type: "aborted" };

interface SummaryTask {
  readonly conversation: CompactionInput;
  readonly wish: SummaryWish;
  /** How much of it is sent, and what in front of it. */
  readonly room: SummaryRoom;
  /** As of `EncryptedOptions`. */
  readonly keepsIds: boolean;
  readonly side: SideRequests;
  /** As of `CompactorOptions`. */
  readonly learnWindow: (contextWindow: number) => void;
}

/** How often a request that a server refuses is made again with less. */
const mostDrops = 5;
/** The share to try when a server refuses a size without giving its limit. */
const keptShare = 0.6;
/** The second time it is too long, instructions and tools are left out. */
const dropsWithHead = 1;

interface Asked {
  readonly material: readonly ResponseItem[];
  readonly isBare: boolean;
  readonly refused: readonly EncryptedKind[];
}

/**
 * Asks the model for notes with the live prompt and one more message. If the window has no room for
 * that, instructions and tools are left out, then the oldest items. Encrypted items that the server
 * can no longer read are left out too; otherwise a long thread could neither be compacted nor
 * continue.
 */
async function* writeNotes(task: SummaryTask): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const { side, room } = task;
  const request = createSummaryRequest({ ...task.wish, mostWords: room.mostWords });
  let asked: Asked = { material: toMaterial(task), isBare: room.isBare, refused: [] };
  for (let drops = 0; ; drops++) {
    const ask = (items: readonly ResponseItem[]): AsyncGenerator<ThreadEvent, SideResponse> =>
      side.respond(items, asked.isBare ? { instructions: summaryInstructions } : {});
    const sent = [...asked.material, request];
    const answer = yield* ask(sent);
    if (answer.type === "aborted") return answer;
    if (answer.type === "completed") {
      const taken = yield* takeNotes(sent, answer.items, ask);
      return taken.type === "written" ? { ...taken, refused: asked.refused } : taken;
    }
    const less = drops === mostDrops ? null : toLess(task, asked, { answer, drops });
    if (less === null) return answer;
    asked = less;
  }
}

/** The part of the thread that is sent to be summarised. */
function toMaterial({ conversation, room: { mostMaterial, isBare } }: SummaryTask): readonly ResponseItem[] {
  if (mostMaterial === null) return conversation.items;
  const fitting = fitMaterial(conversation, { mostTokens: mostMaterial, keepsInitial: !isBare });
  return fitting ?? fitMaterial(conversation, { mostTokens: mostMaterial, keepsInitial: false }) ?? [];
}

interface Refused {
  readonly answer: Extract<SideResponse, { readonly type: "failed" }>;
  /** How often less was sent already. */
  readonly drops: number;
}

/** The next, smaller request after the server refused one because of its material; null: that cannot help. */
function toLess(task: SummaryTask, asked: Asked, { answer: { error, failure }, drops }: Refused): Asked | null {
  const { conversation, keepsIds } = task;
  if (isStaleContent(error)) {
    const kept = dropEncrypted(asked.material, { keepsIds });
    return kept && { ...asked, material: kept.items, refused: [...asked.refused, kept.dropped] };
  }
  if (error.code !== "context_length_exceeded") return null;
  const { contextWindow = null, requestTokens = null } = failure?.refusal?.type === "overflow" ? failure.refusal : {};
  if (contextWindow !== null) task.learnWindow(contextWindow);
  const isKnown = contextWindow !== null && requestTokens !== null;
  const share = isKnown ? (contextWindow - toAnswerTokens(contextWindow)) / requestTokens : keptShare;
  const isBare = asked.isBare || drops >= dropsWithHead;
  const mostTokens = Math.min(share, 0.9) * conversation.estimate(asked.material);
  const fitting = fitMaterial(conversation, { mostTokens, keepsInitial: !isBare });
  if (fitting === null) return null;
  const material = asked.refused.reduce((kept, kind) => withoutEncrypted(kept, kind, { keepsIds }), fitting);
  return { ...asked, material, isBare };
}

/** A model that answers by a tool call, or not at all, is asked once more. */
async function* takeNotes(
  sent: readonly ResponseItem[],
  answer: readonly ResponseItem[],
  ask: (items: readonly ResponseItem[]) => AsyncGenerator<ThreadEvent, SideResponse>,
): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const notes = readNotes(answer);
  if (notes !== null) return toNotes(notes);
  const taken = new Set(sent.map((item) => ("call_id" in item ? item.call_id : "")));
  const second = yield* ask([...sent, ...askForNotesAgain(answer, (callId) => taken.has(callId))]);
  if (second.type !== "completed") return second;
  const late = readNotes(second.items);
  if (late !== null) return toNotes(late);
  const message = "The model wrote no summary, even when asked twice.";
  return { type: "failed", error: { code: "no_notes", message }, failure: null };
}

function toNotes(text: string): SummaryOutcome {
  return { type: "written", summary: { type: "notes", text }, refused: [] };
}

/** Has the server compact the conversation. */
async function* shortenRemotely(task: SummaryTask): AsyncGenerator<ThreadEvent, SummaryOutcome> {
  const { conversation, side } = task;
  const answer = side.compact === null ? incapable : yield* side.compact(toMaterial(task));
  if (answer.type !== "completed") return answer;
  const items = readServerItems(answer.items, conversation.items);
  const fault = findFault(items);
  if (fault !== null) return { type: "failed", error: { code: "invalid_answer", message: fault }, failure: null };
  return { type: "written", summary: { type: "items", items }, refused: [] };
}

/** Null: the thread can continue with these. */
function findFault(items: readonly ResponseItem[]): string | null {
  if (items.length === 0) return "The server's response has no compacted thread.";
  const [seen, open] = [new Set<string>(), new Set<string>()];
  for (const item of items) {
    if (isToolCall(item) && !seen.has(item.call_id)) {
      seen.add(item.call_id);
      open.add(item.call_id);
    } else if (isToolCall(item) || (isToolOutput(item) && !open.delete(item.call_id))) return unpaired;
  }
  return open.size === 0 ? null : unpaired;
}

const unpaired = "The server's compacted thread has a call without its output, or an output without its call.";

const incapable = {
  type: "failed",
  error: { code: "not_supported", message: "The model's server cannot compact threads." },
  failure: null,
} as const;
