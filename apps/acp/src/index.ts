export { defineAcpCommand } from "./define-acp-command.ts";
export { runAcp } from "./run-acp.ts";

export type { AcpOptions } from "./acp-options.ts";
