export { readImageFile } from "./files/node-image-files.ts";
export { nodePatchFiles } from "./files/node-patch-files.ts";
export { openHarness } from "./harness/open-harness.ts";
export { openThread } from "./harness/open-thread.ts";
export { HarnessError } from "./harness-error.ts";
export { logInToMcp, logOutOfMcp } from "./mcp/mcp-login.ts";
export { openMcp } from "./mcp/open-mcp.ts";
export { openSandbox } from "./sandbox/open-sandbox.ts";
export { parseOutputSchema } from "./schema/parse-output-schema.ts";

export type { Harness, HarnessOptions } from "./harness/open-harness.ts";
export type { OpenThreadOptions } from "./harness/open-thread.ts";
export type { HarnessErrorCode } from "./harness-error.ts";
export type { HostEnvironment } from "./host/host-environment.ts";
export type { Sandbox } from "./sandbox/open-sandbox.ts";
export type { ForkOptions } from "./thread/kept-threads.ts";
export type { ThreadOptions } from "./thread/start-thread.ts";
export type { RunOptions, Thread } from "./thread/thread.ts";
export type { ThreadChange } from "./settings/thread-settings.ts";
