import { addColorFlag, addConfigFlags, readCount } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readName } from "./resume.ts";
import type { CompactFlags } from "./threads-compact.ts";
import type { DeleteFlags } from "./threads-delete.ts";
import type { CollectFlags } from "./threads-gc.ts";
import type { ListFlags } from "./threads-list.ts";
import type { ExportFlags } from "./threads-export.ts";

interface LastFlag {
  readonly last?: boolean;
}

interface JsonFlag {
  readonly json?: boolean;
}

const idOrLast = "or the beginning of it; absent, or last: the one used last of those begun in the working folder";
const asLast = "the same as no id";

/** `unroll threads`: the threads that are kept. */
export function addThreadsCommand(program: Command, context: CommandContext): void {
  const threads = program
    .command("threads")
    .description("look at the threads that are kept, and tidy them (docs/threads.md)");
  addListCommand(threads, context);
  addShowCommand(threads, context);
  addMoveCommands(threads, context);
  addDeleteCommand(threads, context);
  addGcCommand(threads, context);
  addRepairCommand(threads, context);
  addCompactCommand(threads, context);
  addExportCommand(threads, context);
}

function addListCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("list")
    .description("list those that were begun in this folder, the one used last first")
    .addOption(new Option("--all", "those of all folders").conflicts(["cd", "cwd"]))
    .option("-C, --cd <dir>", "those of this folder")
    .addOption(new Option("--cwd <dir>", "the same").hideHelp())
    .option("--archived", "those that were archived")
    .addOption(new Option("-n, --limit <count>", "at most so many; 0: all").argParser(readCount).default(25))
    .option("--json", "as JSON, one a line")
    .action(async (flags: ListFlags) => exit(await (await import("./threads-list.ts")).listThreads(flags, io)));
}

function addShowCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("show")
    .description("print what was said and done in one, also while it is open elsewhere")
    .argument("[id]", idOrLast)
    .option("--last", asLast)
    .option("--json", "its items as they are sent, one a line")
    .action(async (name: string | undefined, { last, ...flags }: JsonFlag & LastFlag) => {
      const id = readName(threads, name, { last: last ?? false, all: false });
      exit(await (await import("./threads-show.ts")).showThread({ id, ...flags }, io));
    });
}

function addExportCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("export")
    .description("write a whole thread down to look at and to share, credentials masked")
    .argument("[id]", idOrLast)
    .option("--last", asLast)
    .option("--html <file>", "as one page that needs nothing else")
    .option("--markdown [file]", "as Markdown; without a file to stdout")
    .action(async (name: string | undefined, { last, ...flags }: ExportFlags & LastFlag) => {
      const id = readName(threads, name, { last: last ?? false, all: false });
      exit(await (await import("./threads-export.ts")).exportStored({ id, ...flags }, io));
    });
}

function addMoveCommands(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("archive")
    .description("put threads away: they are not listed, and not gone on with")
    .argument("<id...>", "or the beginnings of them")
    .action(async (ids: readonly string[]) => exit(await (await import("./threads-move.ts")).archiveThreads(ids, io)));
  threads
    .command("unarchive")
    .description("take archived threads back")
    .argument("<id...>", "or the beginnings of them")
    .action(async (ids: readonly string[]) =>
      exit(await (await import("./threads-move.ts")).unarchiveThreads(ids, io)),
    );
}

function addDeleteCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("delete")
    .description("delete threads for good; asks at a terminal")
    .argument("<id...>", "or the beginnings of them")
    .option("--force", "without a question")
    .action(async (ids: readonly string[], flags: DeleteFlags) =>
      exit(await (await import("./threads-delete.ts")).deleteThreads(ids, flags, io)),
    );
}

function addGcCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("gc")
    .description("delete threads that were not used for long; says which, and asks at a terminal")
    .addOption(new Option("--older-than <days>", "not used for so many days").argParser(readCount).default(90))
    .option("--archived", "archived ones too")
    .option("--dry-run", "only say which")
    .option("--force", "without a question")
    .action(async (flags: CollectFlags) => exit(await (await import("./threads-gc.ts")).collectThreads(flags, io)));
}

function addRepairCommand(threads: Command, { io, exit }: CommandContext): void {
  threads
    .command("repair")
    .description("mend the file of a thread; the old one is kept beside it")
    .argument("<id>", "or the beginning of it")
    .action(async (id: string) => exit(await (await import("./threads-repair.ts")).repairThread(id, io)));
}

function addCompactCommand(threads: Command, { io, exit }: CommandContext): void {
  addColorFlag(addConfigFlags(threads.command("compact")))
    .description("shorten one: a summary takes the place of what is old (docs/compaction.md)")
    .argument("[id]", idOrLast)
    .option("--last", asLast)
    .option("-m, --model <name>", "the model to use: the thread's")
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml, or <name>.config.toml beside it")
    .option("-C, --cd <dir>", "go by the configuration of this folder")
    .option("--focus <text>", "what the summary is to dwell on")
    .addOption(new Option("--dry-run", "print what would stay, and ask no server").conflicts(["undo", "focus"]))
    .addOption(new Option("--undo", "return to what it was before it was last shortened").conflicts("focus"))
    .option("--json", "as JSON, one a line")
    .action(async (name: string | undefined, { last, ...flags }: CompactFlags & LastFlag) => {
      const id = readName(threads, name, { last: last ?? false, all: false });
      exit(await (await import("./threads-compact.ts")).compactKeptThread({ id, ...flags }, io));
    });
}
