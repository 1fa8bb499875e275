export const budgetKeys = {
  title: "Budgets",
  intro:
    "These keys limit what a run or a thread may use. 0 and an unset key mean no limit, and limits of the command line override these. [exec.md](exec.md#limit-a-run) explains what counts and how a run ends.",
  keys: {
    "budget.max_turns": {
      kind: "limit",
      text: "limit for one run: how many requests the model may answer",
      weight: "guard",
      by: "user",
      member: "budget.run.maxTurns",
      flag: {
        names: "--max-turns <n>",
        text: "stop after this many requests to the model (exit code 3, as the next three)",
        of: "run",
      },
    },
    "budget.max_tokens": {
      kind: "limit",
      text: "limit for one run: input and output tokens of all its requests together",
      weight: "guard",
      by: "user",
      member: "budget.run.maxTokens",
      flag: {
        names: "--max-tokens <n>",
        text: "stop before more tokens are used, input and output of all requests together",
        of: "run",
      },
    },
    "budget.max_cost": {
      kind: "dollars",
      text: "limit for one run, by the model's price, which must be known",
      weight: "guard",
      by: "user",
      member: "budget.run.maxCost",
      flag: {
        names: "--max-cost <usd>",
        text: "stop before more US dollars are spent, by the model's known price",
        of: "run",
      },
    },
    "budget.max_time_sec": {
      kind: "seconds-from-0",
      text: "limit for one run, without the time in which it only waits for your answers; a running step is stopped, too",
      weight: "guard",
      by: "user",
      member: "budget.run.maxTimeMs",
      flag: {
        names: "--max-time <time>",
        text: "stop after this time, also in the middle of a step: 90, 90s, 10m, 2h",
        of: "run",
      },
    },
    "budget.thread.max_turns": {
      kind: "limit",
      text: "limit for a thread over all its runs, in any process, including the threads that it opens. The usage is saved with the thread",
      weight: "guard",
      by: "user",
      member: "budget.thread.maxTurns",
    },
    "budget.thread.max_tokens": {
      kind: "limit",
      text: "the same limit for the thread's tokens",
      weight: "guard",
      by: "user",
      member: "budget.thread.maxTokens",
    },
    "budget.thread.max_cost": {
      kind: "dollars",
      text: "the same limit for the thread's cost",
      weight: "guard",
      by: "user",
      member: "budget.thread.maxCost",
    },
    /** A model that tries again twice is not in a loop, and after the warning it gets a few more steps. */
    "repeated_calls.nudge_after": {
      kind: "limit",
      default: 4,
      text: "the model gets a warning after this many steps in a row that only repeat earlier calls of the turn with the same results; `0`: never",
      weight: "guard",
      member: "repeatedCalls.nudgeAfter",
    },
    "repeated_calls.stop_after": {
      kind: "limit",
      default: 10,
      text: "the turn ends after this many such steps; `0`: never",
      weight: "guard",
      member: "repeatedCalls.stopAfter",
    },
  },
} as const;
