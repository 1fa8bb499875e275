import type { BudgetStatus } from "@unroll/protocol";
import { formatDollars, groupDigits } from "@unroll/text";

/** `budget: 3 of 20 requests, $0.12 of $2 (thread), 14 of 600 s` */
export function renderBudget(limits: readonly BudgetStatus[]): string {
  return `budget: ${limits.map(renderLimit).join(", ")}`;
}

function renderLimit({ limit, of, max, spent }: BudgetStatus): string {
  const whose = of === "run" ? "" : ` (${of})`;
  switch (limit) {
    case "max_turns":
      return `${groupDigits(spent)} of ${groupDigits(max)} requests${whose}`;
    case "max_tokens":
      return `${groupDigits(spent)} of ${groupDigits(max)} tokens${whose}`;
    case "max_cost":
      return `${formatDollars(spent)} of $${max}${whose}`;
    case "max_time":
      return `${Math.round(spent)} of ${max} s${whose}`;
  }
}
