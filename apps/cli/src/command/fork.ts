import { addThreadFlags, readTurns, type ThreadFlags } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addNaming, readName } from "./resume.ts";

interface ForkFlags extends ThreadFlags {
  readonly last?: boolean;
  readonly all?: boolean;
  readonly at?: number;
}

/** `unroll fork`: a new conversation at the terminal, which begins as another one did. */
export function addForkCommand(program: Command, { io, exit }: CommandContext): void {
  addNaming(addThreadFlags(program.command("fork")))
    .description("go on with a copy of a thread, which stays as it is (docs/threads.md)")
    .addOption(new Option("--at <turns>", "with its first turns only").argParser(readTurns))
    .action(async (id: string | undefined, { last, all, at, ...flags }: ForkFlags) => {
      const name = readName(program, id, { last, all });
      const { runChat } = await import("../chat/run-chat.ts");
      exit(await runChat({ ...flags, from: { name, all: all ?? false, copiedTurns: at ?? "all" } }, io));
    });
}
