export { defineAcpCommand, runAcp } from "./acp-command.ts";

export type { AcpOptions } from "./serve.ts";
