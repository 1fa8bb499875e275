import {
  createUsageSum,
  explainMiss,
  findServiceTier,
  measureRequest,
  type PreviousRequest,
  type RequestHeadFacts,
} from "@unroll/accounting";
import type { Clock } from "@unroll/flow";
import type {
  CacheBreak,
  CompletedRequest,
  CountedResponse,
  Journal,
  JournalEntry,
  RequestCompletedEvent,
  RequestHead,
  ResponseUsage,
  TokenUsage,
} from "@unroll/protocol";
import type { Transcript } from "../transcript/transcript.ts";

/** The requests of a thread: what each shares with the one before it, what the server had cached of it, what all used. */
export interface RequestLedger {
  /** The usage of all answered requests of the thread, including other processes'. */
  readonly threadUsage: TokenUsage;
  /** Takes notice of what is written down. */
  read(entry: JournalEntry): void;
  /** A request that begins with this head is about to be sent, with the transcript as it is now. */
  open(head: RequestHead): OpenRequest;
  /**
   * Opens a request beside the turn, with other items than the transcript's; later requests do not
   * continue it.
   */
  openBeside(head: RequestHead, input: Uint8Array): OpenRequest;
}

/** A request on its way. */
export interface OpenRequest {
  /** Why it does not begin as the one before it did, where no `epoch.opened` said so; null: there is nothing to tell. */
  readonly untold: CacheBreak | null;
  /**
   * Records a response that has arrived, or was ended too early to be counted. Call it before its
   * items are appended. `told`: the event about it.
   */
  answer(response: CountedResponse): CompletedRequest & { readonly told: RequestCompletedEvent };
}

interface RequestLedgerOptions {
  readonly transcript: Transcript;
  readonly journal: Pick<Journal, "record">;
  /** Null: nobody knows the time. */
  readonly clock: Pick<Clock, "now"> | null;
}

export function createRequestLedger({ transcript, journal, clock }: RequestLedgerOptions): RequestLedger {
  const sum = createUsageSum();
  let before: PreviousRequest | null = null;
  let opened: Extract<JournalEntry, { readonly type: "thread.opened" }> | null = null;
  let isForeign = false;

  function read(entry: JournalEntry): void {
    sum.read(entry);
    if (entry.type === "thread.opened") {
      opened = entry;
      isForeign ||= entry.head === null;
    } else if (entry.type === "request" && !entry.request.isBeside) {
      const { request } = entry;
      before = { opening: opened?.head ? { ...request, head: opened.head } : null, request };
    }
  }

  function open(head: RequestHead, beside: Uint8Array | null): OpenRequest {
    const opening: RequestHeadFacts = { head, model: head.model, provider: opened?.provider ?? "" };
    const [part, sentAt] = [transcript.compareWithAnswered(beside), clock?.now() ?? null];
    const inputBytes = (beside ?? transcript.encoded).length;
    const isBeside = beside !== null;
    transcript.seal();
    const { facts, broken } = measureRequest(before, { opening, inputBytes, part, sentAt, isBeside, isForeign });
    return {
      untold: isBeside || typeof part?.cause === "string" ? null : broken,
      answer({ responseId, usage }) {
        const { cached_tokens = null, cache_write_tokens = null } = usage?.input_tokens_details ?? {};
        const told = { ...facts, cached_tokens, cache_write_tokens };
        const cache = { ...told, miss: explainMiss({ ...told, broken }) };
        const counted = usage && toTokenUsage(usage);
        const { model, provider } = opening;
        const sentTo = { model, provider, serviceTier: findServiceTier(head) };
        const request = { responseId, ...sentTo, sentAt, usage: counted, cache, isBeside, isInherited: false };
        if (!isBeside) transcript.markAnswered();
        journal.record({ type: "request", request });
        if (!isBeside) before = { opening, request };
        return { ...request, told: { type: "request.completed", response_id: responseId, usage: counted, cache } };
      },
    };
  }

  return {
    get threadUsage() {
      return sum.total;
    },
    read,
    open: (head) => open(head, null),
    openBeside: open,
  };
}

function toTokenUsage(usage: ResponseUsage): TokenUsage {
  return {
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cache_write_input_tokens: usage.input_tokens_details?.cache_write_tokens ?? 0,
    output_tokens: usage.output_tokens,
    reasoning_output_tokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}
