import type { ThreadOrigin } from "../thread/open-past.ts";
import type { ThreadOptions } from "../thread/thread-options.ts";
import type { Thread } from "../thread/thread.ts";
import { checkHost, checkOptions } from "../options/check-options.ts";
import type { HarnessOptions } from "./harness.ts";

/** Of a harness and of its one thread. */
export interface OpenThreadOptions extends HarnessOptions, Omit<ThreadOptions, "config" | "person" | "parent"> {
  /** Goes on with a thread of the store, as `Harness.resumeThread` does. Absent: a new thread. */
  readonly resume?: string;
  /** Begins as a thread of the store does, as `Harness.forkThread` does. Goes before `resume`. */
  readonly fork?: { readonly id: string; readonly at?: number };
}

const known: Readonly<Record<keyof OpenThreadOptions, true>> = {
  host: true,
  config: true,
  id: true,
  tools: true,
  builtins: true,
  instructions: true,
  person: true,
  userAgent: true,
  model: true,
  store: true,
  serverNotes: true,
  machine: true,
  resume: true,
  fork: true,
  budget: true,
  guards: true,
  gate: true,
  afterCall: true,
  runner: true,
  priceOf: true,
  ignoreRules: true,
  deltaGapMs: true,
  ephemeral: true,
  journal: true,
  entries: true,
  waitForMcp: true,
  allowPrefixBreak: true,
  signal: true,
};

/** The short way for one thread: a harness of its own, which is closed with it. Throws what `openHarness` and its `openThread` throw. */
export async function openThread(options: OpenThreadOptions): Promise<Thread> {
  checkOptions("openThread", options, { ...known, parent: true }); // of a caller without types: left out below
  const [{ checkBuiltins }, { assembleHarness }] = await loadHarness();
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

/** The first thread loads what it takes: a program that only imports this does not wait for it. */
function loadHarness(): Promise<
  [typeof import("../options/check-builtins.ts"), typeof import("./assemble-harness.ts")]
> {
  return Promise.all([import("../options/check-builtins.ts"), import("./assemble-harness.ts")]);
}
