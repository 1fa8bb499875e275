/** Limits on spending. Null: no limit. */
export interface BudgetLimits {
  /** Requests to the model that are answered: steps of the agent, whatever they do. */
  readonly maxTurns: number | null;
  /** Input and output of all requests, as `TokenUsage` counts them: cached input counts each time that it is sent. */
  readonly maxTokens: number | null;
  /** In US dollars, by the price of the model. */
  readonly maxCost: number | null;
  /** In ms, from when the budget was made. */
  readonly maxTimeMs: number | null;
}

/** One limit and how far it is used up. Field names are the wire's. */
export interface BudgetStatus {
  readonly limit: "max_turns" | "max_tokens" | "max_cost" | "max_time";
  /** The budget's owner: `run`, `thread`, or a program's own word. */
  readonly of: string;
  /** Requests, tokens, US dollars or seconds. */
  readonly max: number;
  readonly spent: number;
}
