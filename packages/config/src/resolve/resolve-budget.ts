import type { BudgetLimits, RepeatLimits } from "@unroll/protocol";
import type { BudgetSettings } from "../resolved-config.ts";
import type { BudgetTable, ConfigTable } from "../schema/config-table.ts";
import { defaults } from "../schema/defaults.ts";

export function resolveBudget({ table }: { readonly table: ConfigTable }): BudgetSettings {
  const { thread = {}, ...run } = table.budget ?? {};
  return { run: toLimits(run), thread: toLimits(thread) };
}

export function resolveRepeatLimits({ repeated_calls: repeated = {} }: ConfigTable): RepeatLimits {
  return {
    nudgeAfter: toLimit(repeated.nudge_after ?? defaults["repeated_calls.nudge_after"]),
    stopAfter: toLimit(repeated.stop_after ?? defaults["repeated_calls.stop_after"]),
  };
}

function toLimits(table: Omit<BudgetTable, "thread">): BudgetLimits {
  const seconds = toLimit(table.max_time_sec);
  return {
    maxTurns: toLimit(table.max_turns),
    maxTokens: toLimit(table.max_tokens),
    maxCost: toLimit(table.max_cost),
    maxTimeMs: seconds === null ? null : seconds * 1000,
  };
}

/** 0 stands for none: TOML has no null. */
function toLimit(value = 0): number | null {
  return value === 0 ? null : value;
}
