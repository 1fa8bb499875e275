import { createUsageSum, explainHeadBreak, explainMiss, type RequestOpening } from "@unroll/accounting";
import type { Clock } from "@unroll/flow";
import type {
  AnsweredRequest,
  Journal,
  JournalEntry,
  PrefixBreak,
  RequestCache,
  ResponseUsage,
  TokenUsage,
} from "@unroll/protocol";
import type { Transcript } from "../transcript/transcript.ts";
import { toTokenUsage } from "./to-token-usage.ts";

/** The requests of a thread: what each shares with the one before it, what the server had cached of it, what all used. */
export interface RequestLedger {
  /** Of all requests of the thread that were answered, those of other processes too. */
  readonly threadUsage: TokenUsage;
  /** Of the last one; null: there is none, or its server did not say. */
  readonly lastUsage: TokenUsage | null;
  /** Takes notice of what is written down. */
  read(entry: JournalEntry): void;
  /** A request that begins with this head is about to be sent, with the transcript as it is now. */
  open(head: Uint8Array): OpenRequest;
}

/** A request on its way. */
export interface OpenRequest {
  /** Why it does not begin as the one before it did; null: it does, or there was none. */
  readonly broken: PrefixBreak | null;
  /** Its answer is whole: that is written down. To be called before the items of the answer are appended. */
  answer(responseId: string, usage: ResponseUsage | null): AnsweredRequest;
}

export interface RequestLedgerOptions {
  readonly transcript: Transcript;
  readonly journal: Pick<Journal, "record">;
  /** Null: nobody knows the time. */
  readonly clock: Pick<Clock, "now"> | null;
}

/** Where there are no counts of the server to go by. */
const bytesPerToken = 4;

interface RequestBefore {
  /** Null: nobody knows how it began. */
  readonly opening: RequestOpening | null;
  readonly request: AnsweredRequest;
}

export function createRequestLedger({ transcript, journal, clock }: RequestLedgerOptions): RequestLedger {
  const sum = createUsageSum();
  let before: RequestBefore | null = null;
  let opened: Extract<JournalEntry, { readonly type: "thread.opened" }> | null = null;
  let isForeign = false;

  function read(entry: JournalEntry): void {
    sum.read(entry);
    if (entry.type === "thread.opened") {
      opened = entry;
      isForeign ||= entry.head === null;
    } else if (entry.type === "request") {
      before = { opening: opened?.head ? toOpening(opened.head) : null, request: entry.request };
    }
  }

  function toOpening(head: Uint8Array): RequestOpening {
    return { head, provider: opened?.provider ?? "" };
  }

  /** All but what the answer tells. */
  function measure(head: Uint8Array, sentAt: number | null): Omit<RequestCache, "cached_tokens" | "miss"> & Measured {
    const prefix_bytes = head.length + transcript.encoded.length;
    if (before === null) {
      const broken = isForeign ? otherProgram : null;
      return { prefix_bytes, shared_bytes: 0, shared_tokens: 0, idle_ms: null, broken };
    }
    const { request } = before;
    const { sharedBytes, broken } = compare(before, toOpening(head), transcript);
    return {
      prefix_bytes,
      shared_bytes: sharedBytes,
      shared_tokens: toTokens(sharedBytes, request),
      idle_ms: sentAt === null || request.sentAt === null ? null : Math.max(0, sentAt - request.sentAt),
      broken,
    };
  }

  return {
    get threadUsage() {
      return sum.total;
    },
    get lastUsage() {
      return before?.request.usage ?? null;
    },
    read,
    open(head) {
      const sentAt = clock?.now() ?? null;
      const { broken, ...measured } = measure(head, sentAt);
      return {
        broken,
        answer(responseId, usage) {
          const told = { ...measured, cached_tokens: usage?.input_tokens_details?.cached_tokens ?? null };
          const cache = { ...told, miss: explainMiss({ ...told, broken }) };
          const counted = usage && toTokenUsage(usage);
          const request: AnsweredRequest = { responseId, sentAt, usage: counted, cache, isInherited: false };
          transcript.markAnswered();
          journal.record({ type: "request", request });
          before = { opening: toOpening(head), request };
          return request;
        },
      };
    },
  };
}

interface Measured {
  readonly broken: PrefixBreak | null;
}

const otherProgram: PrefixBreak = {
  type: "other_program",
  first_difference: { index: null, type: "head" },
  cause: "another program began the thread, and how its requests began is not known",
};

function compare(
  before: RequestBefore,
  now: RequestOpening,
  transcript: Transcript,
): Measured & { readonly sharedBytes: number } {
  if (before.opening === null) return { sharedBytes: 0, broken: otherProgram };
  const head = explainHeadBreak(before.opening, now);
  const items = transcript.compareWithAnswered();
  if (head.broken !== null) return head;
  const length = now.head.length;
  if (items === null || length + items.bytes !== before.request.cache.prefix_bytes) {
    const cause = "items are not the bytes that were sent: the file was mended or changed";
    return { sharedBytes: length, broken: { type: "history_changed", first_difference: nowhere, cause } };
  }
  const broken: PrefixBreak | null = items.broken && {
    type: "epoch_opened",
    first_difference: items.broken.firstDifference,
    cause: items.broken.cause,
  };
  return { sharedBytes: length + items.sharedBytes, broken };
}

const nowhere: PrefixBreak["first_difference"] = { index: null, type: "input" };

function toTokens(bytes: number, { usage, cache }: AnsweredRequest): number {
  if (usage === null || cache.prefix_bytes === 0) return Math.round(bytes / bytesPerToken);
  return Math.round((usage.input_tokens * bytes) / cache.prefix_bytes);
}
