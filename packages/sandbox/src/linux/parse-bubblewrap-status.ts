/** What bwrap wrote to `--json-status-fd`. */
export interface BubblewrapStatus {
  /** Process 1 of the sandbox, by its id outside; nothing before it was made. */
  readonly init: number | undefined;
  /** Nothing when the command was never started, or did not end by itself. */
  readonly exitCode: number | undefined;
}

export function parseBubblewrapStatus(text: string): BubblewrapStatus {
  return { init: readNumber(text, "child-pid"), exitCode: readNumber(text, "exit-code") };
}

function readNumber(text: string, name: string): number | undefined {
  const digits = new RegExp(`"${name}":\\s*(\\d+)`).exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
