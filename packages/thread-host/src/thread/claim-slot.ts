import { ThreadHostError } from "../thread-host-error.ts";

/** Exclusive use of a thread: a turn, a rewind, or a switch of the model. */
export interface Claim {
  readonly stop: AbortController;
  /** The turn's id; null: it has not started, or there is none. */
  turnId: string | null;
}

/** The claim on a thread: there is at most one at a time. */
export class ClaimSlot {
  readonly #threadId: string;
  #current: Claim | null = null;

  constructor(threadId: string) {
    this.#threadId = threadId;
  }

  /** Null: nothing has the thread to itself. */
  get current(): Claim | null {
    return this.#current;
  }

  /** Throws `ThreadHostError` `turn_runs`. */
  take(): Claim {
    if (this.#current !== null)
      throw new ThreadHostError(
        "turn_runs",
        "A turn is running in this thread: steer it, interrupt it, or wait for its end.",
      );
    this.#current = { stop: new AbortController(), turnId: null };
    return this.#current;
  }

  /** Does nothing if it has ended already. */
  end(claim: Claim): void {
    if (this.#current === claim) this.#current = null;
  }

  /** Throws `ThreadHostError` `turn_not_running`. */
  find(turnId: string): Claim {
    if (this.#current !== null && this.#current.turnId === turnId) return this.#current;
    throw new ThreadHostError("turn_not_running", `The turn ${turnId} is not running in thread ${this.#threadId}.`);
  }
}
