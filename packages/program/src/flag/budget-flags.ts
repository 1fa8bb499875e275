import type { Command } from "commander";

/** The flags for what one run may spend; they are keys of `[budget]`. */
export function addBudgetFlags(command: Command): Command {
  return command
    .option("--max-turns <n>", "stop after this many requests to the model (exit code 3, as the next three)")
    .option("--max-tokens <n>", "stop before more tokens are used, input and output of all requests together")
    .option("--max-cost <usd>", "stop before more US dollars are spent, by the model's known price")
    .option("--max-time <time>", "stop after this time, also in the middle of a step: 90, 90s, 10m, 2h");
}
