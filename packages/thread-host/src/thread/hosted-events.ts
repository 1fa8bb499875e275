import { type Broadcast, createBroadcast } from "@unroll/flow";
import { toProgramFailure } from "@unroll/program";
import type { NumberedEvent, ThreadEvent } from "@unroll/protocol";
import type { HandleParts } from "./handle-parts.ts";
import type { HostedThread } from "./hosted-thread.ts";
import type { ThreadClient } from "./thread-client.ts";

/** How many events may wait for one reader. */
const capacity = 10_000;

type TellingParts<Client extends ThreadClient> = Pick<HandleParts<Client>, "client" | "clock" | "shown">;

/** The events of a hosted thread, on their way to its client and, numbered, to readers. */
export class HostedEvents<Client extends ThreadClient> {
  readonly #parts: TellingParts<Client>;
  readonly #thread: HostedThread<Client>;
  readonly #feed: Broadcast<NumberedEvent>;
  #seq = 0;

  constructor(parts: TellingParts<Client>, thread: HostedThread<Client>) {
    this.#parts = parts;
    this.#thread = thread;
    const skip = (count: number): ThreadEvent => ({ type: "events.skipped", count });
    this.#feed = createBroadcast({
      capacity,
      onSkipped: (count, next) => ({ ...next, seq: next.seq - 1, event: skip(count) }),
    });
  }

  read(options: { readonly signal?: AbortSignal }): AsyncGenerator<NumberedEvent, void> {
    return this.#feed.read(options);
  }

  close(): void {
    this.#feed.close();
  }

  /** `turnId`: null between turns. */
  async tell(event: ThreadEvent, turnId: string | null): Promise<void> {
    const { client, clock, shown } = this.#parts;
    this.#feed.publish({ threadId: this.#thread.id, turnId, seq: this.#seq++, at: clock.now(), event });
    await client.tell(event, this.#thread);
    shown.note(event);
  }

  /** Never rejects. */
  tellBetweenTurns(event: ThreadEvent): Promise<void> {
    return this.tell(event, null).catch((error: unknown) => this.tellFailure(error));
  }

  /** Readers of `events` see it also where the client is what failed. */
  tellFailure(error: unknown): void {
    const { message } = toProgramFailure(error).error;
    this.tell({ type: "warning", message }, null).catch(() => {});
  }
}
