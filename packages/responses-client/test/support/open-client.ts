import { forEach } from "@unroll/flow";
import type { RequestBody } from "@unroll/protocol";
import { createResponsesClient, type ResponsesClient, type ResponsesClientOptions } from "../../src/index.ts";
import { ManualClock } from "./manual-clock.ts";

export interface ClientSetup extends Partial<Omit<ResponsesClientOptions, "provider">> {
  readonly provider?: Partial<ResponsesClientOptions["provider"]>;
}

export const key = "sk-test-0123456789";

/** A client of `origin` whose waits take no time; with the credential `Bearer` `key`. */
export function openClient(
  origin: string,
  { provider, ...setup }: ClientSetup = {},
): ResponsesClient & Disposable & { readonly clock: ManualClock } {
  const clock = new ManualClock();
  const client = createResponsesClient({
    provider: { id: "test", baseUrl: `${origin}/v1`, queryParams: {}, headers: {}, ...provider },
    credential: { authorization: async () => ({ authorization: `Bearer ${key}` }) },
    clock,
    random: () => 0.5,
    userAgent: "unroll/0.0.0",
    ...setup,
  });
  return { ...client, clock, [Symbol.dispose]: () => client.close() };
}

export const request: RequestBody = {
  threadId: "thread-1",
  turnId: "turn-1",
  chunks: ['{"model":"m",', '"input":[', '"ü"]}'].map((text) => new TextEncoder().encode(text)),
};

export const never: AbortSignal = new AbortController().signal;

/** Everything a generator yields, and what it returns. */
export async function collect<Event, Outcome>(
  generator: AsyncGenerator<Event, Outcome>,
): Promise<{ readonly events: readonly Event[]; readonly outcome: Outcome }> {
  const events: Event[] = [];
  const outcome = await forEach(generator, (event) => void events.push(event));
  return { events, outcome };
}
