import type { StreamRetryingEvent } from "@unroll/protocol";
import { toShownText } from "@unroll/text";

/** One line for a person: what failed, and when it is tried again. */
export function renderRetry({ attempt, max_attempts: most, delay_ms: delay, cause }: StreamRetryingEvent): string {
  return `retry ${attempt} of ${most} in ${(delay / 1000).toFixed(1)} s: ${toShownText(cause.message)}`;
}
