export { defineExecCommand, defineReviewCommand } from "./define-exec-command.ts";
export { runExec } from "./run-exec.ts";

export type { ExecOptions } from "./exec-options.ts";
