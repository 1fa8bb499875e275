import { addThreadFlags } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { CompactFlags } from "./threads-compact.ts";

/** `unroll threads compact` */
export function addCompactCommand(threads: Command, { io, exit }: CommandContext): void {
  addThreadFlags(threads.command("compact"))
    .description("shorten one: a summary takes the place of what is old (docs/compaction.md)")
    .argument("<id>", "or the beginning of it")
    .option("--focus <text>", "what the summary is to dwell on")
    .addOption(new Option("--dry-run", "print what would stay, and ask no server").conflicts(["undo", "focus"]))
    .addOption(new Option("--undo", "return to what it was before it was last shortened").conflicts("focus"))
    .option("--json", "as JSON, one a line")
    .action(async (id: string, flags: CompactFlags) =>
      exit(await (await import("./threads-compact.ts")).compactThread({ id, ...flags }, io)),
    );
}
