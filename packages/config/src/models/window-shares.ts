/** Of the window: room for the answer to the request that is the last before a conversation is compacted. */
const compactionShare = 0.9;
/** In tokens: what asking for a summary takes at least, with its answer. In a small window it is more than the rest of that share. */
const summaryTokens = 1_300;
/** Of a small window: below it nothing would be left of the conversation. */
const leastShare = 0.6;
/** Of the window: what one tool output may take of it. */
const outputShare = 0.25;

/** In tokens: where a conversation in a window of this size is compacted by itself, if nobody says otherwise. */
export function toCompactionLimit(contextWindow: number): number {
  const beforeSummary = Math.max(leastShare * contextWindow, contextWindow - summaryTokens);
  return Math.floor(Math.min(compactionShare * contextWindow, beforeSummary));
}

/** In tokens: how much of one tool output the model sees, where its family allows so many. */
export function toOutputTokens(familyTokens: number, contextWindow: number): number {
  return Math.min(familyTokens, Math.floor(outputShare * contextWindow));
}
