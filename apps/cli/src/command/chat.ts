import type { Command } from "commander";
import { Option } from "commander";
import type { ExecOptions } from "@unroll/exec";
import type { CommandContext } from "../program.ts";

/** `unroll chat`: a conversation at the terminal, with approvals. */
export function addChatCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("chat")
    .description("talk with the agent at the terminal, line by line; it asks before what your approval policy says")
    .option("-m, --model <name>", "the model to use")
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml")
    .addOption(
      new Option("-s, --sandbox <mode>", "how far commands may reach").choices([
        "read-only",
        "workspace-write",
        "danger-full-access",
      ]),
    )
    .option("-C, --cd <dir>", "work in this folder")
    .option(
      "-c, --config <key=value>",
      "set a config key (repeatable)",
      (text: string, all: readonly string[] | undefined) => [...(all ?? []), text],
    )
    .addOption(new Option("--color <when>", "colours in the progress").choices(["auto", "always", "never"]))
    .action(async (options: ExecOptions) => {
      const { runChat } = await import("../chat/run-chat.ts");
      exit(await runChat(options, io));
    });
}
