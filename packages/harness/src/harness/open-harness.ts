import { checkHost, checkOptions } from "../options/check-options.ts";
import type { Harness, HarnessOptions } from "./harness.ts";

const known: Readonly<Record<keyof HarnessOptions, true>> = {
  host: true,
  config: true,
  userAgent: true,
  model: true,
  store: true,
  serverNotes: true,
  priceOf: true,
  ignoreRules: true,
  deltaGapMs: true,
  machine: true,
  person: true,
};

/**
 * Opens what threads share. MCP servers start at once and beside everything else. Throws `HarnessError` for a missing key,
 * `ApprovalError` for unusable rules files, `ConfigError` for an unusable config, `AuthError` for an unusable login, and
 * `HarnessError` `invalid_options` for unknown options.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  checkOptions("openHarness", options, known);
  checkHost("openHarness", options);
  const { assembleHarness } = await import("./assemble-harness.ts");
  return (await assembleHarness(options)).harness;
}
