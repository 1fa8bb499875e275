import type { Harness, HarnessOptions } from "./harness/harness.ts";
import type { OpenThreadOptions } from "./harness/open-harness.ts";
import { HarnessError } from "./harness-error.ts";
import { nodeHost } from "./host/node-host.ts";
import type { Thread } from "./thread/thread.ts";

/** `HarnessOptions`, where `host` may be left out: `nodeHost()` is used. */
export type NodeHarnessOptions = WithoutHost<HarnessOptions>;

/** `OpenThreadOptions`, where `host` may be left out: `nodeHost()` is used. */
export type NodeThreadOptions = WithoutHost<OpenThreadOptions>;

type WithoutHost<Options extends HarnessOptions> = Omit<Options, "host"> & Partial<Pick<Options, "host">>;

/**
 * `openHarness` of `@unroll/harness`, on this machine unless you give a `host`. Throws its errors
 * and those of `nodeHost`.
 */
export async function openHarness(options: NodeHarnessOptions = {}): Promise<Harness> {
  const { openHarness: open } = await import("./harness/open-harness.ts");
  return open(withHost("openHarness", options));
}

/**
 * `openThread` of `@unroll/harness`, on this machine unless you give a `host`. Throws its errors
 * and those of `nodeHost`.
 */
export async function openThread(options: NodeThreadOptions = {}): Promise<Thread> {
  const { openThread: open } = await import("./harness/open-harness.ts");
  return open(withHost("openThread", options));
}

function withHost<Options extends NodeHarnessOptions>(
  call: string,
  options: Options,
): Options & Pick<HarnessOptions, "host"> {
  const given: unknown = options; // a caller without types may pass anything
  if (typeof given === "object" && given !== null) return { ...options, host: options.host ?? nodeHost() };
  throw new HarnessError("invalid_options", `${call}: options are expected as an object: ${call}({ … }).`);
}
