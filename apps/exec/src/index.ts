export { createHostEnvironment } from "./create-host-environment.ts";
export { addThreadFlags, defineExecCommand } from "./define-exec-command.ts";
export { toExecFailure } from "./exec-error.ts";
export { loadExecConfig } from "./load-exec-config.ts";
export { openExecModel } from "./open-exec-model.ts";
export { createLineWriter } from "./output/line-writer.ts";
export { createTextPrinter } from "./output/text-printer.ts";
export { createTextStyle } from "./output/text-style.ts";
export { runExec } from "./run-exec.ts";
export { watchInterruption } from "./watch-interruption.ts";

export type { ExecFailure } from "./exec-error.ts";
export type { EventPrinter } from "./output/event-printer.ts";
export type { ExecOptions } from "./exec-options.ts";
export type { InputStream, OutputStream, ProcessIo } from "./process-io.ts";
export type { Interruption } from "./watch-interruption.ts";
