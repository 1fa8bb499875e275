import type { Clock } from "@unroll/flow";
import { createCutFailure, createTimeoutFailure } from "../failure/network-failure.ts";
import type { Answer } from "../transport/exchange.ts";

/** A `Response` of `fetch` as an answer of ours. Its request's signal ends it. */
export function toFetchAnswer(response: Response, host: string, clock: Pick<Clock, "setTimer">): Answer {
  const reader = response.body?.getReader() ?? null;
  const cancel = (): void => void reader?.cancel().catch(() => {}); // it may have broken before
  return {
    host,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    async read(patienceMs) {
      const silence = Promise.withResolvers<never>();
      const disarm = clock.setTimer(patienceMs, () =>
        silence.reject(createTimeoutFailure("idle_timeout", patienceMs, host)),
      );
      try {
        const reading = reader?.read().catch((error: unknown) => {
          throw createCutFailure(host, error);
        });
        const next = await Promise.race([reading, silence.promise]);
        const bytes: unknown = next?.value;
        return bytes instanceof Uint8Array ? bytes : null;
      } finally {
        disarm();
      }
    },
    release: cancel,
    destroy: cancel,
  };
}
