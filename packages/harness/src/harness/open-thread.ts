import type { ThreadOptions } from "../thread/start-thread.ts";
import type { Thread } from "../thread/thread.ts";
import { checkHost, checkOptions } from "../options/check-options.ts";
import type { Harness, HarnessOptions } from "./harness.ts";

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
  machine: true,
  resume: true,
  fork: true,
  budget: true,
  guards: true,
  gate: true,
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

const shared: readonly (keyof HarnessOptions)[] = [
  "host",
  "userAgent",
  "model",
  "store",
  "machine",
  "priceOf",
  "ignoreRules",
  "deltaGapMs",
];

/** The short way for one thread: a harness of its own, which is closed with it. Throws what `openHarness` and its `openThread` throw. */
export async function openThread(options: OpenThreadOptions): Promise<Thread> {
  checkOptions("openThread", options, { ...known, parent: true }); // parent: taken out below
  const [{ checkBuiltins }, { assembleHarness }] = await loadHarness();
  checkBuiltins("openThread", options.builtins);
  checkHost("openThread", options);
  await using opening = new AsyncDisposableStack();
  const harness = opening.use(await assembleHarness(options));
  const thread = await openIn(harness, options);
  const opened = opening.move();
  return {
    ...thread,
    get name() {
      return thread.name;
    },
    get budget() {
      return thread.budget;
    },
    get config() {
      return thread.config;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The first thread loads what it takes: a program that only imports this does not wait for it. */
function loadHarness(): Promise<
  [typeof import("../options/check-builtins.ts"), typeof import("./assemble-harness.ts")]
> {
  return Promise.all([import("../options/check-builtins.ts"), import("./assemble-harness.ts")]);
}

function openIn(harness: Harness, options: OpenThreadOptions): Promise<Thread> {
  const { fork, resume, config: _config, ...own } = options;
  // what is the harness's; and parent, which a caller without types may hand over: it would close the thread, but not its harness
  for (const key of ["parent", ...shared]) Reflect.deleteProperty(own, key);
  if (fork !== undefined) return harness.forkThread(fork.id, { ...own, ...(fork.at !== undefined && { at: fork.at }) });
  return resume === undefined ? harness.openThread(own) : harness.resumeThread(resume, own);
}
