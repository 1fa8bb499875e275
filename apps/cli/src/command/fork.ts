import { readTurns } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addNaming, type NamingFlags, readName } from "./resume.ts";
import { addTerminalFlags, type TerminalFlags } from "./talk.ts";

interface ForkFlags extends TerminalFlags, NamingFlags {
  readonly at?: number;
}

/** `unroll fork`: a new conversation at the terminal, which begins as another one did. */
export function addForkCommand(program: Command, { io, exit }: CommandContext): void {
  addNaming(addTerminalFlags(program.command("fork")))
    .description("go on with a copy of a thread, which stays as it is (docs/threads.md)")
    .addOption(new Option("--at <turns>", "with its first turns only").argParser(readTurns))
    .action(async (id: string | undefined, { last, all = false, at, ...flags }: ForkFlags) => {
      const name = readName(program, id, { last: last ?? false, all });
      const { runTerminal } = await import("@unroll/terminal");
      exit(await runTerminal({ ...flags, from: { name, all, copiedTurns: at ?? "all" } }, io));
    });
}
