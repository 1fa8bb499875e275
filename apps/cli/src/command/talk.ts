import { addBudgetFlags, addImageFlag, addThreadFlags, collectValues } from "@unroll/program";
import { type Command, Option } from "commander";
import type { TerminalOptions } from "@unroll/terminal";
import type { CommandContext } from "../command-context.ts";
import { refuseSlip } from "../refuse-slip.ts";

/** What the flags of `addTerminalFlags` say. */
export type TerminalFlags = Omit<TerminalOptions, "prompt" | "from">;

interface TalkFlags extends TerminalFlags {
  readonly fullAuto?: boolean;
}

/** `unroll [PROMPT]`: a conversation at the terminal, with approvals. `names`: of all subcommands, one of which a prompt may be meant as. */
export function addTalk(program: Command, { io, exit }: CommandContext, names: readonly string[]): void {
  addImageFlag(addTerminalFlags(program.enablePositionalOptions()), "one")
    .argument("[prompt]", "what to do first; none: it waits for you")
    .option("--ephemeral", "keep neither the conversation nor what you type")
    .action(async (prompt: string | undefined, flags: TalkFlags) => {
      if (prompt !== undefined) refuseSlip(program, prompt, names);
      const { runTerminal } = await import("@unroll/terminal");
      exit(await runTerminal({ ...flags, ...(prompt !== undefined && { prompt }) }, io));
    });
}

/** The flags of every command that opens the terminal program. */
export function addTerminalFlags(command: Command): Command {
  return addBudgetFlags(addThreadFlags(command))
    .option("--ignore-user-config", "do not read config.toml of CODEX_HOME")
    .option("--ignore-rules", "do not read the rules of CODEX_HOME/rules: those that forbid, too")
    .option("--add-dir <dir>", "commands may write here too (repeatable)", collectValues)
    .addOption(new Option("--full-auto", "same as --sandbox workspace-write").conflicts("sandbox"))
    .addOption(
      new Option(
        "--dangerously-bypass-approvals-and-sandbox",
        "same as --sandbox danger-full-access, and nothing asks",
      ).conflicts(["sandbox", "fullAuto"]),
    )
    .option("--plain", "line by line, without painting: for screen readers, and for scripts on stdin")
    .option("--no-animation", "nothing moves by itself");
}
