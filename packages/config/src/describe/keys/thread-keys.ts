import type { KeySection } from "./key-section.ts";

const dollars = "number, US dollars";

export const budgetKeys: KeySection = {
  title: "### Budgets",
  intro: `What may be spent. 0 is no limit, and so is a key that is not set; a limit of the command line wins. [exec.md](exec.md) says what counts,
and how a run ends.`,
  table: null,
  keys: {
    "budget.max_turns": {
      text: "of one run, which is a turn of the conversation with all its requests: requests to the model that are answered",
    },
    "budget.max_tokens": { text: "of one run: input and output of all requests" },
    "budget.max_cost": { text: "of one run, by the price of the model, which must be known", type: dollars },
    "budget.max_time_sec": { text: "of one run: a step that runs is ended, too" },
    "budget.thread.max_turns": {
      text: "of a thread over all its runs, in whatever process, with the threads that it opens; what was spent is kept with the thread",
    },
    "budget.thread.max_tokens": { text: "the same of its tokens" },
    "budget.thread.max_cost": { text: "the same of its cost", type: dollars },
    "repeated_calls.nudge_after": {
      text: "after so many steps in a row of calls that were made before in the turn, with the same results, the model is told so; 0: never",
    },
    "repeated_calls.stop_after": { text: "after so many the turn ends; 0: never" },
  },
  outro: "",
};

export const threadKeys: KeySection = {
  title: "### Threads",
  intro: "",
  table: null,
  keys: {
    "history.persistence": {
      text: "whether `unroll` and `unroll exec` keep their threads ([threads.md](threads.md))",
    },
  },
  outro: "",
};
