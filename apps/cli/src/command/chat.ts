import { addThreadFlags, type ThreadFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll chat`: a conversation at the terminal, with approvals. */
export function addChatCommand(program: Command, { io, exit }: CommandContext): void {
  addThreadFlags(program.command("chat"))
    .description("talk with the agent at the terminal, line by line; it asks before what your approval policy says")
    .action(async (flags: ThreadFlags) => {
      const { runChat } = await import("@unroll/terminal");
      exit(await runChat(flags, io));
    });
}
