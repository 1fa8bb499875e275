/** The exit codes of all programs. Where a program runs a command for someone, that command's own code is given back. */
export const exitCodes = {
  completed: 0,
  /** The turn failed, a check found a problem, or the machine refused something. */
  failed: 1,
  /** The command line or another input is wrong: nothing was sent. */
  usage: 2,
  /** The run's budget is used up (`budget_exhausted`), or can no longer be checked (`budget_unknown`). */
  budgetExhausted: 3,
  /** The model went in circles and was stopped (`repeated_calls`). */
  repeatedCalls: 4,
  /** The config is wrong: nothing was sent. */
  config: 5,
  /** There is no key or login, or the server does not take it. */
  auth: 6,
  /** The server refuses more requests for now, or for this account. */
  rateLimit: 7,
  /** The sandbox for commands is not available. */
  sandboxUnavailable: 8,
  /** The answer does not fit the output schema. */
  schemaMismatch: 9,
  /** Something needed a person's yes, and the run was to stop there. */
  approvalNeeded: 10,
  /** A command was stopped from outside, as `timeout` says it. */
  commandStopped: 124,
  /** A command may not run: the sandbox is not available, or the file is not executable. */
  commandRefused: 126,
  /** There is no such command. */
  commandMissing: 127,
  /** 128 + N by signal N. */
  SIGHUP: 129,
  SIGINT: 130,
  SIGPIPE: 141,
  SIGTERM: 143,
} as const;

const turnExitCodes: Readonly<Record<string, number>> = {
  budget_exhausted: exitCodes.budgetExhausted,
  budget_unknown: exitCodes.budgetExhausted,
  repeated_calls: exitCodes.repeatedCalls,
  unauthorized: exitCodes.auth,
  invalid_api_key: exitCodes.auth,
  http_401: exitCodes.auth,
  missing_credential: exitCodes.auth,
  account_missing: exitCodes.auth,
  rate_limit_exceeded: exitCodes.rateLimit,
  usage_limit_reached: exitCodes.rateLimit,
  usage_not_included: exitCodes.rateLimit,
  insufficient_quota: exitCodes.rateLimit,
  http_429: exitCodes.rateLimit,
  sandbox_unavailable: exitCodes.sandboxUnavailable,
  schema_mismatch: exitCodes.schemaMismatch,
  approval_needed: exitCodes.approvalNeeded,
};

/** The exit code of a turn that failed with this error code. */
export function toTurnExitCode(errorCode: string): number {
  return turnExitCodes[errorCode] ?? exitCodes.failed;
}
