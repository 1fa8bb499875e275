import type { Clock } from "@unroll/flow";
import { type Budget, nothingSpent, openBudget } from "../guard/budget.ts";

/**
 * The budget of a sub-agent: all of its parent's, whatever turn that one is in by then. `current`
 * returns the parent's budget, and is called each time.
 */
export function followBudget(current: () => Budget, clock: Pick<Clock, "elapsed">): Budget {
  const followed: Budget = {
    get limits() {
      return current().limits;
    },
    get spent() {
      return current().spent;
    },
    get turns() {
      return current().turns;
    },
    get remainingMs() {
      return current().remainingMs;
    },
    admit: (estimate) => current().admit(estimate),
    hold: (estimate) => current().hold(estimate),
    waitForRoom: (estimate) => current().waitForRoom(estimate),
    countTurns: (change) => current().countTurns(change),
    spend: (spent) => current().spend(spent),
    child: (limits, of, spent = nothingSpent) => openBudget(limits, { clock, of, spent, parent: followed }),
  };
  return followed;
}
