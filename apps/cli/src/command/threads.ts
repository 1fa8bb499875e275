import { addThreadFlags } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { CompactFlags } from "./threads-compact.ts";
import type { ExportFlags } from "./threads-export.ts";

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
  addExportCommand(threads, context);
}

function addExportCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("export")
    .description("write a whole thread down to look at and to share, credentials masked")
    .argument("<id>", "or last: the one that was begun last in the working folder")
    .option("--html <file>", "as one page that needs nothing else")
    .option("--markdown [file]", "as Markdown; without a file to stdout")
    .action(async (id: string, flags: ExportFlags) =>
      exit(await (await import("./threads-export.ts")).exportThread({ id, ...flags }, io)),
    );
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
