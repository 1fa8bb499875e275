import type { ParsedFlags } from "../config-sources.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** The options that stand for a key, as a layer. */
export function createFlagLayer({ model, sandboxMode, approvalPolicy }: ParsedFlags): ConfigLayer {
  const flags = [
    { name: "--model", key: "model", value: model },
    { name: "--sandbox", key: "sandbox_mode", value: sandboxMode },
    { name: "--ask-for-approval", key: "approval_policy", value: approvalPolicy },
  ].filter(({ value }) => value !== undefined);
  return {
    table: Object.fromEntries(flags.map(({ key, value }) => [key, value])),
    locate: ([key]) => ({ type: "argument", name: flags.find((flag) => flag.key === key)?.name ?? "the command line" }),
    warnings: [],
  };
}
