export { HarnessError } from "./harness-error.ts";
export { nodeHost } from "./host/node-host.ts";
export { openHarness, openThread } from "./open-here.ts";
export { defineTool } from "@unroll/tools/define";

export type { NodeHostOptions } from "./host/node-host.ts";
export type { NodeHarnessOptions, NodeThreadOptions } from "./open-here.ts";
