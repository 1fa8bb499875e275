import type { ProcessIo } from "@unroll/program";
import type { TerminalOptions } from "./terminal-options.ts";

/** As its namesake in `run-terminal.ts`, which is loaded only now. */
export async function runTerminal(options: TerminalOptions, io: ProcessIo): Promise<number> {
  const program = await import("./run-terminal.ts");
  return program.runTerminal(options, io);
}

export type { TerminalOptions } from "./terminal-options.ts";
