import type { StepFacts, StepGuard } from "@unroll/core";
import type { ModelPrice } from "@unroll/protocol";
import type { Budget } from "./budget.ts";
import { estimateRequest } from "./request-cost.ts";

/** Stops a turn before the request that its budget does not allow. */
export function createBudgetGuard(budgetOf: (facts: StepFacts) => Budget, price: ModelPrice | null): StepGuard {
  return {
    // oxlint-disable-next-line require-yield -- what it knows is told with each answer
    async *before(facts) {
      // a request that failed costs nothing that is known, and its own error says more
      const error = facts.failure === null ? budgetOf(facts).admit(estimateRequest(facts, price)) : null;
      return error === null ? { type: "go" } : { type: "stop", error };
    },
  };
}
