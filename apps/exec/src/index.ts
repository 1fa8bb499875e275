export { defineExecCommand } from "./define-exec-command.ts";
export { runExec } from "./run-exec.ts";

export type { ExecOptions } from "./exec-options.ts";
export type { InputStream, OutputStream, ProcessIo } from "./process-io.ts";
