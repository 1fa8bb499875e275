import type { StepFacts, StepGuard } from "@unroll/core";
import type { ModelPrice } from "@unroll/protocol";
import type { Budget } from "./budget.ts";
import { estimateLeastUse } from "./request-cost.ts";

/**
 * Stops a turn before the request that its budget does not allow. It may be asked once more behind guards that ask the model
 * themselves: what is shortened has cost something.
 */
export function createBudgetGuard(budgetOf: (facts: StepFacts) => Budget, price: () => ModelPrice | null): StepGuard {
  let seen: StepFacts["items"] | null = null;
  return {
    // oxlint-disable-next-line require-yield -- what it knows is told with each answer
    async *before(facts) {
      const isAnew = facts.items !== seen;
      seen = facts.items;
      // a request that failed costs nothing that is known, and its own error says more, unless another one takes its place
      const error = facts.failure === null || isAnew ? budgetOf(facts).admit(estimateLeastUse(facts, price())) : null;
      return error === null ? { type: "go" } : { type: "stop", error };
    },
  };
}
