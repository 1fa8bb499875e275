import type { ProcessIo } from "@unroll/program";
import type { ExecOptions } from "./exec-options.ts";

/**
 * Runs one task to its end. Returns the exit code (`exitCodes`): 0 the turn was completed, 1 it failed, 2 the command line,
 * the config or another input is wrong, 3 its budget is used up, 4 the model went in circles, 128 + N it was stopped by signal N
 * (141: nobody reads stdout). The harness is loaded only now: help and the other subcommands go without.
 */
export async function runExec(options: ExecOptions, io: ProcessIo): Promise<number> {
  if (options.printSchema) {
    const { printEventSchema } = await import("./print-event-schema.ts");
    return printEventSchema(io);
  }
  const { executeTask } = await import("./execute-task.ts");
  return executeTask(options, io);
}
