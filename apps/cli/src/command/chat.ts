import { addThreadFlags, type ExecOptions } from "@unroll/exec";
import type { Command } from "commander";
import type { CommandContext } from "../program.ts";

/** `unroll chat`: a conversation at the terminal, with approvals. */
export function addChatCommand(program: Command, { io, exit }: CommandContext): void {
  addThreadFlags(program.command("chat"))
    .description("talk with the agent at the terminal, line by line; it asks before what your approval policy says")
    .action(async (options: ExecOptions) => {
      const { runChat } = await import("../chat/run-chat.ts");
      exit(await runChat(options, io));
    });
}
