import type { Clock } from "@unroll/flow";
import type { ServedThread, ThreadFollower } from "@unroll/front-end";
import { askClients } from "./ask-clients.ts";
import { type Audience, createAudience } from "./audience.ts";
import { createTurnTeller, type TurnTeller } from "./turn-teller.ts";

/** The clients of one thread follow it. */
export interface ClientFollower extends ThreadFollower {
  readonly audience: Audience;
  readonly expect: TurnTeller["expect"];
  readonly expectReview: TurnTeller["expectReview"];
}

export function createClientFollower(clock: Pick<Clock, "now" | "elapsed">): ClientFollower {
  const [audience, teller] = [createAudience(), createTurnTeller(clock)];
  let followed: ServedThread | null = null;
  return {
    audience,
    expect: (turnId, said) => teller.expect(turnId, said),
    expectReview: (turnId, target) => teller.expectReview(turnId, target),
    async tell(event, thread) {
      followed = thread;
      audience.tell(teller.tell(event, thread));
      await audience.room();
    },
    ask(question, signal) {
      const cancel = (): void => followed?.cancel();
      return askClients({ audience, clock, turnId: teller.turnId, cancel }, question, signal);
    },
  };
}
