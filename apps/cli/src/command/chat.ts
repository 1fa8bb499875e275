import { addThreadFlags, type ThreadFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll chat`: what `unroll --plain` is now, under its old name. */
export function addChatCommand(program: Command, { io, exit }: CommandContext): void {
  addThreadFlags(program.command("chat", { hidden: true }))
    .description("talk with the agent line by line: the old name of unroll --plain")
    .action(async (flags: ThreadFlags) => {
      const { runTerminal } = await import("@unroll/terminal");
      exit(await runTerminal({ ...flags, plain: true }, io));
    });
}
