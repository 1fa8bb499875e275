import { addThreadFlags, type ThreadFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface ResumeFlags extends ThreadFlags {
  readonly last?: boolean;
  readonly allowCacheBreak?: boolean;
}

/** `unroll resume`: goes on with a conversation at the terminal. */
export function addResumeCommand(program: Command, { io, exit }: CommandContext): void {
  addThreadFlags(program.command("resume"))
    .description("go on with a thread at the terminal, as in chat (docs/threads.md)")
    .argument("[id]", "absent: the one that was begun last in the working folder")
    .option("--last", "the same as no id")
    .option(
      "--allow-cache-break",
      "do not ask where model, provider or tools are others now: all is sent at full price",
    )
    .action(async (id: string | undefined, { last, ...flags }: ResumeFlags) => {
      if (last && id !== undefined) program.error("error: name a thread or --last, one of the two");
      const { runChat } = await import("../chat/run-chat.ts");
      exit(await runChat({ ...flags, resume: id ?? "last" }, io));
    });
}
