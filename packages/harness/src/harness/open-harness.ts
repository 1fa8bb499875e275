import { checkHost, checkOptions } from "../check-options.ts";
import { type Harness, type HarnessOptions, harnessOptions, threadOptions } from "./harness.ts";
import type { ThreadOrigin } from "../thread/open-past.ts";
import type { ThreadOptions } from "../thread/thread-options.ts";
import type { Thread } from "../thread/thread.ts";

/**
 * Opens what threads share. MCP servers start at once and beside everything else. Throws `HarnessError` for a missing key,
 * `ApprovalError` for unusable rules files, `ConfigError` for an unusable config, `AuthError` for an unusable login, and
 * `HarnessError` `invalid_options` for unknown options.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  checkOptions("openHarness", options, harnessOptions);
  checkHost("openHarness", options);
  const { assembleHarness } = await import("./assemble-harness.ts");
  return (await assembleHarness(options)).harness;
}

/** Of a harness and of its one thread. */
export interface OpenThreadOptions extends HarnessOptions, Omit<ThreadOptions, "config" | "person" | "parent"> {
  /** Goes on with a thread of the store, as `Harness.resumeThread` does. Absent: a new thread. */
  readonly resume?: string;
  /** Begins as a thread of the store does, as `Harness.forkThread` does. Goes before `resume`. */
  readonly fork?: { readonly id: string; readonly at?: number };
}

/** The short way for one thread: a harness of its own, which is closed with it. Throws what `openHarness` and its `openThread` throw. */
export async function openThread(options: OpenThreadOptions): Promise<Thread> {
  // `parent` of a caller without types is left out below
  checkOptions("openThread", options, { ...harnessOptions, ...threadOptions, resume: true, fork: true });
  const { assembleHarness, checkBuiltins } = await import("./assemble-harness.ts"); // what only imports this does not wait for it
  checkBuiltins("openThread", options.builtins);
  checkHost("openThread", options);
  await using opening = new AsyncDisposableStack();
  const { harness, open } = await assembleHarness(options);
  const owner = opening.use(harness);
  const { config: _config, person: _person, ...own } = options; // those of the harness
  Reflect.deleteProperty(own, "parent"); // it would close the thread with itself
  const thread = await open("openThread", toOrigin(options), { ...own, owner });
  opening.move();
  return thread;
}

function toOrigin({ fork, resume }: OpenThreadOptions): ThreadOrigin {
  if (fork !== undefined) return { type: "fork", id: fork.id, at: fork.at ?? null };
  return resume === undefined ? { type: "new" } : { type: "stored", id: resume };
}
