import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readName } from "./resume.ts";

interface ReportFlags {
  readonly last?: boolean;
  readonly html?: string;
  readonly json?: boolean;
}

/** `unroll cache`: what the provider had cached, and why not more. */
export function addCacheCommand(program: Command, { io, exit }: CommandContext): void {
  const cache = program
    .command("cache")
    .description("what the provider's cache held, and what that saved (docs/cache.md)");
  cache
    .command("report")
    .description("a thread, request by request: tokens that were cached, why not all were, and what it cost")
    .argument(
      "[thread]",
      "its id, or the beginning of it; absent: the one used last of those begun in the working folder",
    )
    .option("--last", "the same as no id")
    .option("--html <file>", "write a page with plots, too")
    .option("--json", "as JSON, one request a line, then the thread")
    .action(async (name: string | undefined, { last, ...flags }: ReportFlags) => {
      const thread = readName(cache, name, { last: last ?? false, all: false });
      const { reportCache } = await import("./cache-report.ts");
      exit(await reportCache({ thread, ...flags }, io));
    });
}
