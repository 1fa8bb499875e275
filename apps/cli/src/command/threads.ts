import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface JsonFlag {
  readonly json?: boolean;
}

/** `unroll threads`: the threads that are kept. */
export function addThreadsCommand(program: Command, { io, exit }: CommandContext): void {
  const threads = program.command("threads").description("look at the threads that are kept (docs/threads.md)");
  threads
    .command("list")
    .description("list them, the newest first: when, where, and what was said first")
    .option("--json", "as JSON, one a line")
    .action(async (flags: JsonFlag) => exit(await (await import("./threads-list.ts")).listThreads(flags, io)));
  threads
    .command("show")
    .description("print what was said and done in one")
    .argument("<id>")
    .option("--json", "its items as they are sent, one a line")
    .action(async (id: string, flags: JsonFlag) =>
      exit(await (await import("./threads-show.ts")).showThread({ id, ...flags }, io)),
    );
}
