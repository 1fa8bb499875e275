import { addThreadFlags, type ThreadFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll resume`: goes on with a conversation at the terminal. */
export function addResumeCommand(program: Command, { io, exit }: CommandContext): void {
  addThreadFlags(program.command("resume"))
    .description("go on with a thread at the terminal, as in chat (docs/threads.md)")
    .argument("[id]", "absent: the one that was begun last in the working folder")
    .option("--last", "the same as no id")
    .action(async (id: string | undefined, { last, ...flags }: ThreadFlags & { readonly last?: boolean }) => {
      if (last && id !== undefined) program.error("error: name a thread or --last, one of the two");
      const { runChat } = await import("../chat/run-chat.ts");
      exit(await runChat({ ...flags, resume: id ?? "last" }, io));
    });
}
