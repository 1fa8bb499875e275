import type { StreamRetryingEvent } from "@unroll/protocol";
import { toShownText } from "@unroll/text";

/** One line for a person: what failed, and when it is tried again, or how long it is waited for. */
export function renderRetry({ attempt, max_attempts: most, delay_ms: delay, cause }: StreamRetryingEvent): string {
  const seconds = delay < longestShown ? (delay / 1000).toFixed(1) : String(Math.round(delay / 1000));
  const said = toShownText(cause.message);
  if (cause.code === "server_not_ready") return `waiting up to ${seconds} s for the server: ${said}`;
  return `retry ${attempt} of ${most} in ${(delay / 1000).toFixed(1)} s: ${said}`;
}

/** In ms: a longer wait is told in whole seconds. */
const longestShown = 60_000;
