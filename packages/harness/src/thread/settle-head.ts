import { createHash } from "node:crypto";
import type { ResolvedConfig } from "@unroll/config";
import { encodeRequestHead, type HeadSettings } from "@unroll/core";
import { foldLeading } from "@unroll/item-form";
import type { InitialPrompt } from "@unroll/prompt";
import type { RequestHead, ResponseItem, ToolSpec } from "@unroll/protocol";
import type { ThreadBase } from "../base/thread-base.ts";
import type { ThreadMcp } from "../mcp/join-mcp.ts";
import { HarnessError } from "../harness-error.ts";
import { type CacheBreak, confirmBreak, findPrefixBreak, type OpenedThread } from "../cache-break.ts";
import { leaveOutOfHead } from "../server/request-members.ts";
import type { ThreadServer } from "../server/thread-server.ts";

/** The parts of a request's head. */
export interface HeadParts extends ThreadBase {
  readonly mcp: ThreadMcp;
  readonly server: ThreadServer;
  readonly prompt: InitialPrompt;
  readonly specs: readonly ToolSpec[];
  /** How the thread was opened; null: it is a new one. */
  readonly opened: OpenedThread | null;
  /** The login of the requests now, and before; null: they use, or used, another credential, or nobody knows. */
  readonly account: string | null;
  readonly accountBefore: string | null;
  /** As of `BreakConsent`. */
  readonly fallback: string | null;
  readonly allowsBreak: boolean;
  /** Whether a request may have been sent: without one, another beginning costs nothing, and nobody is asked or told. */
  readonly isSent: boolean;
  /** Withdraws a question. */
  readonly signal: AbortSignal;
}

/**
 * Returns the head of every request of the thread. A resumed thread keeps its own. If that is
 * impossible, or its tools have changed, the person is asked before everything is resent. Throws
 * `HarnessError` `other_model` if a necessary change is not approved.
 */
export async function settleHead(parts: HeadParts): Promise<RequestHead> {
  const { opened, state, specs } = parts;
  const { config } = parts.settings;
  const head = opened?.head ?? null;
  if (opened === null || head === null) return beginTranscript(parts);
  const { account, accountBefore } = parts;
  const now = { model: config.model, provider: config.provider.id, account, tools: specs };
  const find = (): CacheBreak | null =>
    findPrefixBreak({ ...opened, head, account: accountBefore }, { ...now, items: state.transcript.items });
  const found = find();
  if (found === null) return head;
  if (!parts.isSent) return beginTranscriptAnew(parts, found);
  if (await confirmBreak(found, await toConsent(parts, { ...opened, head }))) {
    state.closeCalls(); // another beginning has no open calls
    return beginAnew(parts, find() ?? found, opened);
  }
  if (found.type === "model") throw refuse(parts, opened, config);
  parts.feed.tell({ type: "warning", message: explainOldTools(found) });
  return head;
}

async function toConsent(
  { own, state, settings, feed, fallback, allowsBreak, signal }: HeadParts,
  { head, model, provider }: OpenedThread & { readonly head: RequestHead },
): Promise<Parameters<typeof confirmBreak>[1]> {
  const { createTokenEstimator } = await import("@unroll/compaction");
  const estimator = createTokenEstimator();
  const tokens = estimator.estimateBytes(head.bytes.length) + estimator.estimate(state.transcript.items);
  const question = { person: settings.person, threadId: own.id, opened: { model, provider }, fallback, tokens };
  return { ...question, isAllowed: allowsBreak, signal, tell: (event) => feed.tell(event) };
}

function beginTranscript(parts: HeadParts): RequestHead {
  const { state, prompt, mcp } = parts;
  // what another program began has its own beginning
  const head = recordHead(parts, state.transcript.items.length === 0 ? prompt.items : []);
  state.transcript.append(...prompt.items);
  state.notes.set("mcpListed", mcp.listed);
  return head;
}

function beginTranscriptAnew(parts: HeadParts, { cause }: CacheBreak): RequestHead {
  const { state, prompt, server } = parts;
  state.openEpoch(prompt.items, cause, { isFinal: true, form: server.itemForm });
  return recordHead(parts, prompt.items);
}

function beginAnew(
  parts: HeadParts,
  { type, cause, items }: CacheBreak,
  { provider, model }: OpenedThread,
): RequestHead {
  const { state, feed, server } = parts;
  // in this order: a file that ends between the two has the old head, and no items that only the other model can read
  state.openEpoch(items, cause, { isFinal: true, form: server.itemForm, maker: { provider, model } });
  const head = recordHead(parts, items);
  // The part in front of the items differs.
  const first_difference = { index: null, type };
  feed.tell({ type: "epoch.opened", cause, items: items.length, shared_items: 0, first_difference });
  return head;
}

/** `items`: the items of the next request. */
function recordHead(
  { own: { id: threadId, cacheShard }, settings, server, state, prompt, specs }: HeadParts,
  items: readonly ResponseItem[],
): RequestHead {
  const { model, modelFamily, provider, serviceTier } = settings.config;
  const known = {
    threadId,
    model,
    instructions: foldLeading(prompt.instructions, items, server.itemForm),
    tools: specs,
    parallelToolCalls: modelFamily.supportsParallelToolCalls,
    store: server.takes.store ? provider.azure : null,
    encryptedReasoning: server.takes.encryptedReasoning && modelFamily.supportsReasoning,
    ...(serviceTier === null ? {} : { serviceTier }),
  };
  const own = cacheShard === null ? threadId : toSharedKey(known, cacheShard);
  const promptCacheKey = server.takes.promptCacheKey ? own : null;
  const { threadId: _, ...encoded } = encodeRequestHead({ ...known, promptCacheKey });
  const head = leaveOutOfHead(encoded, server.omitted);
  state.journal.record({ type: "thread.opened", threadId, model, provider: provider.id, head, ...server.form });
  return head;
}

/** The same for every thread whose requests begin alike. */
function toSharedKey(known: Omit<HeadSettings, "promptCacheKey">, shard: number): string {
  const { bytes } = encodeRequestHead({ ...known, promptCacheKey: null });
  return `${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}-${shard}`;
}

function refuse(
  { account, accountBefore }: HeadParts,
  opened: OpenedThread,
  { model, provider }: ResolvedConfig,
): HarnessError {
  if (opened.model === model && opened.provider === provider.id) {
    const message = `The thread used the account ${accountBefore}. Continuing with ${account} resends the whole thread uncached. Use --account ${accountBefore}, start a new thread, or add --allow-cache-break.`;
    return new HarnessError("other_model", message);
  }
  const [was, is] = [`${opened.model} of ${opened.provider}`, `${model} of ${provider.id}`];
  const message = `The thread was opened with the model ${was}. Continuing with ${is} resends the whole thread uncached. Use -m ${opened.model}, start a new thread, or add --allow-cache-break.`;
  return new HarnessError("other_model", message);
}

function explainOldTools({ changes }: CacheBreak): string {
  return `The thread keeps its earlier tools, so that the provider's cache stays valid, although ${changes.join(", ")}. To use the current tools and resend everything uncached, add --allow-cache-break.`;
}
