import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addTerminalFlags, type TerminalFlags } from "./talk.ts";

/** What the flags of `addNaming` say. */
export interface NamingFlags {
  readonly last?: boolean;
  readonly all?: boolean;
  readonly allowCacheBreak?: boolean;
}

/** `unroll resume`: goes on with a conversation at the terminal. */
export function addResumeCommand(program: Command, { io, exit }: CommandContext): void {
  addNaming(addTerminalFlags(program.command("resume")))
    .description("go on with a conversation at the terminal (docs/threads.md)")
    .action(async (id: string | undefined, { last, all = false, ...flags }: TerminalFlags & NamingFlags) => {
      const name = readName(program, id, { last: last ?? false, all });
      const { runTerminal } = await import("@unroll/terminal");
      exit(await runTerminal({ ...flags, from: { name, all, copiedTurns: null } }, io));
    });
}

/** The arguments that name a thread. */
export function addNaming(command: Command): Command {
  return command
    .argument("[id]", "or the beginning of it; absent: the one used last of those begun in the working folder")
    .option("--last", "the same as no id")
    .option("--all", "without an id: the one used last in any folder")
    .option(
      "--allow-cache-break",
      "do not ask where model, provider or tools are others now: all is sent at full price",
    );
}

/** The id, or `last`. */
export function readName(program: Command, id: string | undefined, flags: NamingFlags): string {
  if (flags.last && id !== undefined && id !== "last") program.error("error: name a thread or --last, one of the two");
  if (flags.all && id !== undefined && id !== "last")
    program.error("error: --all is for the last thread, and one is named");
  return id ?? "last";
}
