import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll demo`: a real task on a copy of the sample project, on your provider or on the built-in demo model. */
export function addDemoCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("demo")
    .description("fix the failing test of a sample project, in a temporary copy")
    .action(async () => exit(await (await import("./run-demo.ts")).runDemo(io)));
}
