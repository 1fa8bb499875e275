export { readImageFile } from "./files/node-image-files.ts";
export { nodePatchFiles } from "./files/node-patch-files.ts";
export { HarnessError } from "./harness-error.ts";
export { logInToMcp, logOutOfMcp } from "./mcp/mcp-login.ts";
export { openMcp } from "./mcp/open-mcp.ts";
export { parseOutputSchema } from "./schema/parse-output-schema.ts";
export { openSandbox } from "./sandbox/open-sandbox.ts";
export { openThread } from "./thread/open-thread.ts";

export type { HarnessErrorCode, HarnessErrorOptions } from "./harness-error.ts";
export type { HostEnvironment } from "./host/host-environment.ts";
export type { McpLoginRequest } from "./mcp/mcp-login.ts";
export type { OpenMcpOptions } from "./mcp/open-mcp.ts";
export type { Sandbox } from "./sandbox/open-sandbox.ts";
export type { OpenThreadOptions } from "./thread/open-thread.ts";
export type { RunOptions, Thread } from "./thread/thread.ts";
