import { addColorFlag, addConfigFlags, readCount, takeText } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readName, threadHelp } from "./name-thread.ts";
import type { CompactFlags } from "./threads-compact.ts";
import type { ExportFlags, ReportFlags } from "./threads-export.ts";
import type { ListFlags } from "./threads-list.ts";
import type { ShowFlags } from "./threads-show.ts";
import type { CollectFlags, DeleteFlags } from "./threads-upkeep.ts";

interface LastFlag {
  readonly last?: boolean;
}

const prefixHelp = "thread id or its prefix";

/** `unroll threads`: the saved threads. */
export function addThreadsCommand(program: Command, context: CommandContext): void {
  const threads = program.command("threads").description("list, show and tidy your saved threads (docs/threads.md)");
  addLookCommands(threads, context);
  addUpkeepCommands(threads, context);
  addCompactCommand(threads, context);
}

/** `unroll cache`: what the provider had cached, and why not more. */
export function addCacheCommand(program: Command, { launch }: CommandContext): void {
  const cache = program
    .command("cache")
    .description("show what the provider's cache held and what that saved (docs/cache.md)");
  addName(cache.command("report"))
    .description("print a thread request by request: cached tokens, why the rest was not cached, and the cost")
    .option("--html <file>", "also write a page with plots")
    .option("--json", "as JSON: one line per request, then one for the thread")
    .action((id: string | undefined, { last, ...flags }: ReportFlags & LastFlag) => {
      const { name } = readName(cache, id, { last });
      return launch(async (run) => (await import("./threads-export.ts")).reportCache(name, flags, run));
    });
}

function addName(command: Command): Command {
  return command.argument("[id]", threadHelp).option("--last", "the same as no id");
}

function addLookCommands(threads: Command, { launch }: CommandContext): void {
  threads
    .command("list")
    .description("list this folder's threads, most recent first")
    .addOption(new Option("--all", "threads of all folders").conflicts(["cd", "cwd"]))
    .option("-C, --cd <dir>", "threads of this folder")
    .addOption(new Option("--cwd <dir>", "the same").hideHelp())
    .option("--parent <id>", "threads that this thread started as sub-agents, from any folder")
    .option("--archived", "archived threads")
    .addOption(new Option("-n, --limit <count>", "at most this many; 0: all").argParser(readCount).default(25))
    .option("--json", "as JSON, one thread per line")
    .action((flags: ListFlags) => launch(async (run) => (await import("./threads-list.ts")).printThreads(flags, run)));
  addName(threads.command("show"))
    .description("print a thread, even while it is open elsewhere")
    .option("--json", "its items as they are sent, one per line")
    .action((id: string | undefined, { last, ...flags }: ShowFlags & LastFlag) => {
      const { name } = readName(threads, id, { last });
      return launch(async (run) => (await import("./threads-show.ts")).showThread(name, flags, run));
    });
  addName(threads.command("export"))
    .description("write a whole thread to a file: to share, with credentials masked, or to move it")
    .option("--html <file>", "as one page that needs nothing else")
    .option("--markdown [file]", "as Markdown; without a file to stdout")
    .option("--jsonl <file>", "as the store has it, to import elsewhere; credentials are not masked")
    .option("--atif <file>", "as a trajectory for evaluation harnesses (ATIF 1.7, JSON)")
    .action((id: string | undefined, { last, ...flags }: ExportFlags & LastFlag) => {
      const { name } = readName(threads, id, { last });
      return launch(async (run) => (await import("./threads-export.ts")).exportSaved(name, flags, run));
    });
}

function addUpkeepCommands(threads: Command, { launch }: CommandContext): void {
  const load = (): Promise<typeof import("./threads-upkeep.ts")> => import("./threads-upkeep.ts");
  threads
    .command("archive")
    .description("archive threads: they are not listed and cannot be resumed")
    .argument("<id...>", prefixHelp)
    .action((ids: readonly string[]) => launch(async (run) => (await load()).archiveThreads(ids, run)));
  threads
    .command("unarchive")
    .description("restore archived threads")
    .argument("<id...>", prefixHelp)
    .action((ids: readonly string[]) => launch(async (run) => (await load()).unarchiveThreads(ids, run)));
  threads
    .command("delete")
    .description("delete threads for good; asks at a terminal")
    .argument("<id...>", prefixHelp)
    .option("--force", "do not ask")
    .action((ids: readonly string[], flags: DeleteFlags) =>
      launch(async (run) => (await load()).deleteThreads(ids, flags, run)),
    );
  threads
    .command("gc")
    .description("delete threads that you have not used for a long time; lists them and asks at a terminal")
    .addOption(new Option("--older-than <days>", "not used for this many days").argParser(readCount).default(90))
    .option("--archived", "archived threads too")
    .option("--dry-run", "only list them")
    .option("--force", "do not ask")
    .action((flags: CollectFlags) => launch(async (run) => (await load()).collectThreads(flags, run)));
  threads
    .command("repair")
    .description("repair a thread, and keep the old one aside")
    .argument("<id>", prefixHelp)
    .action((id: string) => launch(async (run) => (await load()).repairThread(id, run)));
  threads
    .command("import")
    .description("add threads by their files, byte for byte (see threads export --jsonl)")
    .argument("<file...>", "a thread's .jsonl file")
    .action((files: readonly string[]) => launch(async (run) => (await load()).importThreads(files, run)));
}

function addCompactCommand(threads: Command, { launch }: CommandContext): void {
  addColorFlag(addConfigFlags(addName(threads.command("compact"))))
    .description("compact a thread: a summary replaces old items (docs/compaction.md)")
    .option("-m, --model <name>", "the model to use (default: the thread's)", takeText)
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml, or <name>.config.toml beside it", takeText)
    .option("-C, --cd <dir>", "use the config of this folder", takeText)
    .option("--focus <text>", "what the summary should focus on")
    .addOption(
      new Option("--dry-run", "print what would remain, without contacting a server").conflicts(["undo", "focus"]),
    )
    .addOption(new Option("--undo", "undo the last compaction").conflicts("focus"))
    .option("--json", "as JSON, one event per line")
    .action((id: string | undefined, { last, ...flags }: CompactFlags & LastFlag) => {
      const { name } = readName(threads, id, { last });
      return launch(async (run) => (await import("./threads-compact.ts")).compactSaved(name, flags, run));
    });
}
