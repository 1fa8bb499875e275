import { checkHost, checkOptions } from "../options/check-options.ts";
import type { Harness, HarnessOptions } from "./harness.ts";

const known: Readonly<Record<keyof HarnessOptions, true>> = {
  host: true,
  config: true,
  userAgent: true,
  model: true,
  store: true,
  priceOf: true,
  ignoreRules: true,
  deltaGapMs: true,
  machine: true,
  person: true,
};

/**
 * Opens what threads share. MCP servers start at once and beside everything else. Throws `HarnessError` for a missing key
 * and for rules that cannot be read, `ConfigError` for a config that cannot be used, `AuthError` for a login that cannot, and
 * `HarnessError` `invalid_options` for what is no option.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  checkOptions("openHarness", options, known);
  checkHost("openHarness", options);
  const { assembleHarness } = await import("./assemble-harness.ts");
  return assembleHarness(options);
}
