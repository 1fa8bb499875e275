import { checkHost, checkOptions } from "../check-options.ts";
import { type Harness, type HarnessOptions, harnessOptions, threadOptions } from "./harness.ts";
import type { ThreadOrigin } from "../thread/open-past.ts";
import type { ThreadOptions } from "../thread/thread-options.ts";
import type { Thread } from "../thread/thread.ts";

/**
 * Opens what threads share. MCP servers start at once, in the background. Throws `HarnessError` for
 * a missing key or unknown options (`invalid_options`), `ApprovalError` for unusable rules files,
 * `ConfigError` for an unusable config, and `AuthError` for an unusable login.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  checkOptions("openHarness", options, harnessOptions);
  checkHost("openHarness", options);
  const { assembleHarness } = await import("./assemble-harness.ts");
  return (await assembleHarness(options)).harness;
}

/** The options of a harness and of its only thread. */
export interface OpenThreadOptions extends HarnessOptions, Omit<ThreadOptions, "config" | "person" | "parent"> {
  /** Resumes a thread of the store, like `Harness.resumeThread`. Absent: a new thread. */
  readonly resume?: string;
  /**
   * Forks a thread of the store, like `Harness.forkThread`; `at`: after how many turns. Wins over
   * `resume`.
   */
  readonly fork?: { readonly id: string; readonly at?: number };
}

/**
 * Opens one thread with a harness of its own, which is closed with it. Throws the errors of
 * `openHarness` and of its `openThread`.
 */
export async function openThread(options: OpenThreadOptions): Promise<Thread> {
  // A `parent`, which a caller without types may pass, is removed below.
  checkOptions("openThread", options, { ...harnessOptions, ...threadOptions, resume: true, fork: true });
  const { assembleHarness, checkBuiltins } = await import("./assemble-harness.ts"); // importing this file does not load it
  checkBuiltins("openThread", options.builtins);
  checkHost("openThread", options);
  await using opening = new AsyncDisposableStack();
  const { harness, open } = await assembleHarness(options);
  const owner = opening.use(harness);
  const { config: _config, person: _person, ...own } = options; // the harness has them
  Reflect.deleteProperty(own, "parent"); // it would close the thread with itself
  const thread = await open("openThread", toOrigin(options), { ...own, owner });
  opening.move();
  return thread;
}

function toOrigin({ fork, resume }: OpenThreadOptions): ThreadOrigin {
  if (fork !== undefined) return { type: "fork", id: fork.id, at: fork.at ?? null };
  return resume === undefined ? { type: "new" } : { type: "stored", id: resume };
}
