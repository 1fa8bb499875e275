/** The report that bwrap wrote to `--json-status-fd`. */
export interface BubblewrapStatus {
  /** Process 1 of the sandbox, by its id outside; null: not created yet. */
  readonly init: number | null;
  /** Null: the command was not started, or did not end by itself. */
  readonly exitCode: number | null;
}

export function parseBubblewrapStatus(text: string): BubblewrapStatus {
  return { init: readNumber(text, "child-pid"), exitCode: readNumber(text, "exit-code") };
}

function readNumber(text: string, name: string): number | null {
  const digits = new RegExp(`"${name}":\\s*(\\d+)`).exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
