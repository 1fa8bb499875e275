import type { ProcessIo } from "@unroll/program";
import type { ChatOptions } from "./plain/run-chat.ts";
import type { TerminalOptions } from "./terminal-options.ts";

/** As its namesake in `run-terminal.ts`, which is loaded only now. */
export async function runTerminal(options: TerminalOptions, io: ProcessIo): Promise<number> {
  const program = await import("./run-terminal.ts");
  return program.runTerminal(options, io);
}

/** As its namesake in `plain/run-chat.ts`, which is loaded only now. */
export async function runChat(options: ChatOptions, io: ProcessIo): Promise<number> {
  const program = await import("./plain/run-chat.ts");
  return program.runChat(options, io);
}

export type { ChatOrigin } from "./plain/open-origin.ts";
export type { TerminalOptions } from "./terminal-options.ts";
