import type { BudgetLimits, RepeatLimits } from "@unroll/protocol";
import type { BudgetSettings } from "../resolved-config.ts";
import type { BudgetTable, ConfigTable } from "../schema/config-table.ts";

/** Steps in a row that brought nothing new: a model that tries again twice is no loop, and one that was told gets a few more. */
const defaultNudgeAfter = 4;
const defaultStopAfter = 10;

export function resolveBudget({ table }: { readonly table: ConfigTable }): BudgetSettings {
  const { thread = {}, ...run } = table.budget ?? {};
  return { run: toLimits(run), thread: toLimits(thread) };
}

export function resolveRepeatLimits({ repeated_calls: repeated = {} }: ConfigTable): RepeatLimits {
  return {
    nudgeAfter: toLimit(repeated.nudge_after ?? defaultNudgeAfter),
    stopAfter: toLimit(repeated.stop_after ?? defaultStopAfter),
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
