import type { RequestCache } from "@unroll/protocol";
import { groupDigits, toShownText } from "@unroll/text";

/** `cache missed: 41,200 tokens were sent before and read anew (the request before was 22 min ago: …)` */
export function renderMiss({ miss, shared_tokens: shared, cached_tokens: cached }: RequestCache): string {
  const why = miss === null ? "" : ` (${toShownText(miss.cause)})`;
  return `cache missed: ${groupDigits(shared - (cached ?? 0))} tokens were sent before and read anew${why}`;
}
