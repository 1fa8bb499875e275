import { addThreadFlags } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { CompactFlags } from "./threads-compact.ts";

interface JsonFlag {
  readonly json?: boolean;
}

/** `unroll threads`: the threads that are kept. */
export function addThreadsCommand(program: Command, context: CommandContext): void {
  const { io, exit } = context;
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
  addCompactCommand(threads, context);
}

function addCompactCommand(threads: Command, { io, exit }: CommandContext): void {
  addThreadFlags(threads.command("compact"))
    .description("shorten one: a summary takes the place of what is old (docs/compaction.md)")
    .argument("<id>")
    .option("--focus <text>", "what the summary is to dwell on")
    .addOption(new Option("--dry-run", "print what would stay, and ask no server").conflicts(["undo", "focus"]))
    .addOption(new Option("--undo", "return to what it was before it was last shortened").conflicts("focus"))
    .option("--json", "as JSON, one a line")
    .action(async (id: string, flags: CompactFlags) =>
      exit(await (await import("./threads-compact.ts")).compactThread({ id, ...flags }, io)),
    );
}
