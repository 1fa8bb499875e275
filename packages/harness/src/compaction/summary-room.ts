import { type CompactionInput, createSummaryRequest, summaryInstructions, type SummaryWish } from "@unroll/compaction";

/** How a request for a summary fits into the context window, with room for its answer. */
export interface SummaryRoom {
  /** How much of the conversation it may hold, in tokens by the conversation's own estimate; null: all of it. */
  readonly mostMaterial: number | null;
  /** Whether it goes without the thread's instructions, tools and first messages: with them nothing else would fit. */
  readonly isBare: boolean;
  /** How long the notes may be; null: as long as they have to. */
  readonly mostWords: number | null;
}

export interface RoomParts {
  readonly conversation: CompactionInput;
  readonly wish: SummaryWish;
  /** In tokens: what the server takes, the answer included. */
  readonly window: number;
  /** The next request, in tokens, and its instructions and tools. */
  readonly tokens: number;
  readonly headTokens: number;
}

/** The notes' share of the window, in tokens. */
const answerShare = { share: 0.1, fewest: 400, most: 4_000 };
/** Share of the window: with less material, a summary request is not worth its instructions and tools. */
const leastMaterial = 0.25;
/** Models write about so many words a token; and reasoning may come before them. */
const wordsPerToken = 0.6;
/** In tokens: notes of this length need no bound. */
const longNotes = 2_000;

/** Plans the request for a summary: with the thread's own beginning where that leaves enough room, else without. */
export function planRoom(parts: RoomParts): SummaryRoom {
  const { conversation, wish, window, tokens, headTokens } = parts;
  const answer = toAnswerTokens(window);
  const mostWords = answer < longNotes ? Math.floor(wordsPerToken * answer) : null;
  const request = conversation.estimate([createSummaryRequest({ ...wish, mostWords })]);
  const room = window - answer - request;
  if (tokens <= room) return { mostMaterial: null, isBare: false, mostWords };
  // how far the estimate of the whole is off
  const scale = tokens / Math.max(1, headTokens + conversation.estimate(conversation.items));
  const live = room / scale - headTokens;
  if (live >= (leastMaterial * window) / scale) return { mostMaterial: live, isBare: false, mostWords };
  const bareHead = Math.ceil(summaryInstructions.length / 4);
  return { mostMaterial: room / scale - bareHead, isBare: true, mostWords };
}

/** In tokens: what is kept free for the notes. */
export function toAnswerTokens(window: number): number {
  return Math.min(answerShare.most, Math.max(answerShare.fewest, answerShare.share * window));
}
