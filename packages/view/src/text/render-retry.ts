import type { StreamRetryingEvent } from "@unroll/protocol";
import { toShownText } from "@unroll/text";

/** One line: the failure, and when the request is retried or how long the program waits. */
export function renderRetry({ attempt, max_attempts: most, delay_ms: delay, cause }: StreamRetryingEvent): string {
  const seconds = delay < longestShown ? (delay / 1000).toFixed(1) : String(Math.round(delay / 1000));
  const message = toShownText(cause.message);
  if (cause.code === "server_not_ready") return `waiting up to ${seconds} s for the server: ${message}`;
  return `retry ${attempt} of ${most} in ${seconds} s: ${message}`;
}

/** In ms. A longer wait is shown in whole seconds. */
const longestShown = 60_000;
