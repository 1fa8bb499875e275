import type { RetriedOutcome } from "../retry/with-retry.ts";

/** Yields one by one what comes in batches: up to here an event costs no more than its place in an array. */
export async function* flatten<Event, Completed>(
  batches: AsyncGenerator<readonly Event[], RetriedOutcome<Completed>>,
): AsyncGenerator<Event, RetriedOutcome<Completed>> {
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) return next.value;
      for (const event of next.value) yield event;
    }
  } finally {
    await batches.return({ type: "aborted" });
  }
}
