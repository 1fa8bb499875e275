import { checkBuiltins } from "../options/check-builtins.ts";
import { checkCall } from "../options/check-call.ts";
import { checkOwnOptions } from "../options/check-options.ts";
import type { ForkOptions, ThreadOptions } from "../thread/thread-options.ts";

const known: Readonly<Record<keyof ThreadOptions, true>> = {
  config: true,
  person: true,
  tools: true,
  builtins: true,
  instructions: true,
  guards: true,
  budget: true,
  gate: true,
  afterCall: true,
  runner: true,
  id: true,
  ephemeral: true,
  journal: true,
  entries: true,
  parent: true,
  waitForMcp: true,
  allowPrefixBreak: true,
  signal: true,
};

/** What one thread of a harness is opened with, of a caller whose compiler did not look. Throws `HarnessError` `invalid_options`. */
export function checkThreadOptions(call: string, options: ThreadOptions): void {
  checkOwnOptions(call, options, known);
  checkBuiltins(call, options.builtins);
  if (options.parent !== undefined) checkCall(`${call}, parent`, options.parent, { bounds: "an object" });
}

/** As `checkThreadOptions`, of a thread that is kept: `id` names it. */
export function checkKept(call: string, id: unknown, options: ThreadOptions): void {
  checkCall(call, { id }, { id: "text" });
  checkThreadOptions(call, options);
}

/** As `checkKept`, of one that is copied. */
export function checkFork(call: string, id: unknown, options: ForkOptions): void {
  checkCall(call, { id, options }, { id: "text", "options.at?": "a number" });
  const { at: _at, ...own } = options;
  checkThreadOptions(call, own);
}
