import {
  addBudgetFlags,
  addHostFlag,
  addImageFlag,
  addThreadFlags,
  collectValues,
  readPositive,
  type ThreadFlags,
} from "@unroll/program";
import type { TerminalOptions } from "@unroll/terminal";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { refuseSlip } from "../refuse-slip.ts";
import { addNaming, type NamedThread, type NamingFlags, readName } from "./name-thread.ts";

type TerminalFlags = Omit<TerminalOptions, "prompt" | "from">;

interface ForkFlags extends TerminalFlags, NamingFlags {
  readonly at?: number;
}

/** `unroll [PROMPT]`: a thread at the terminal, with approvals. `names`: of all subcommands, one of which a prompt may be a slip of. */
export function addTerminalProgram(program: Command, context: CommandContext, names: readonly string[]): void {
  addImageFlag(addTerminalFlags(program.enablePositionalOptions()), "one")
    .argument("[prompt]", "the first task (default: wait for you)")
    .option("--ephemeral", "save neither the thread nor what you type")
    .action(async (prompt: string | undefined, flags: TerminalFlags) => {
      if (prompt !== undefined) refuseSlip(program, prompt, names);
      await open({ ...flags, ...(prompt !== undefined && { prompt }) }, context);
    });
}

/** `unroll resume`: continues a thread at the terminal. */
export function addResumeCommand(program: Command, context: CommandContext): void {
  addNaming(addTerminalFlags(program.command("resume")))
    .description("continue a thread at the terminal (docs/threads.md)")
    .action(async (id: string | undefined, { last, all, ...flags }: TerminalFlags & NamingFlags) => {
      const from = { ...readChoice(program, id, { last, all }), copiedTurns: null };
      await open({ ...flags, from }, context);
    });
}

/** `unroll fork`: a new thread at the terminal, which starts as a copy of another one. */
export function addForkCommand(program: Command, context: CommandContext): void {
  addNaming(addTerminalFlags(program.command("fork")))
    .description("continue a copy of a thread, which itself stays as it is (docs/threads.md)")
    .addOption(new Option("--at <turns>", "copy only this many turns").argParser(readPositive))
    .action(async (id: string | undefined, { last, all, at, ...flags }: ForkFlags) => {
      const from = { ...readChoice(program, id, { last, all }), copiedTurns: at ?? ("all" as const) };
      await open({ ...flags, from }, context);
    });
}

/** `unroll chat`: the old name of `unroll --plain`. */
export function addChatCommand(program: Command, context: CommandContext): void {
  addThreadFlags(program.command("chat", { hidden: true }))
    .description("the old name of unroll --plain")
    .action((flags: ThreadFlags) => open({ ...flags, plain: true }, context));
}

/** The thread that the arguments name, or null in place of its name: you choose one. */
function readChoice(
  program: Command,
  id: string | undefined,
  naming: Parameters<typeof readName>[2],
): Omit<NamedThread, "name"> & { readonly name: string | null } {
  const named = readName(program, id, naming);
  return { ...named, name: id === undefined && naming.last !== true ? null : named.name };
}

async function open(options: TerminalOptions, { io, exit }: CommandContext): Promise<void> {
  const { runTerminal } = await import("@unroll/terminal");
  exit(await runTerminal(options, io));
}

/** The flags of every command that opens the terminal program. */
function addTerminalFlags(command: Command): Command {
  return addHostFlag(addBudgetFlags(addThreadFlags(command)))
    .option("--ignore-user-config", "ignore config.toml in CODEX_HOME")
    .option("--ignore-rules", "ignore all rules in CODEX_HOME/rules, including those that forbid commands")
    .option("--add-dir <dir>", "commands may write here too (repeatable)", collectValues)
    .option("--full-auto", "same as --sandbox workspace-write; with --sandbox, the narrower of the two")
    .addOption(
      new Option(
        "--dangerously-bypass-approvals-and-sandbox",
        "same as --sandbox danger-full-access, without approvals",
      ).conflicts(["sandbox", "fullAuto"]),
    )
    .addOption(
      new Option("--yolo", "same as --dangerously-bypass-approvals-and-sandbox")
        .implies({ dangerouslyBypassApprovalsAndSandbox: true })
        .conflicts(["sandbox", "fullAuto"]),
    )
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .addOption(
      new Option("--no-alt-screen", "accepted for users of the Codex CLI; unroll never switches to it").hideHelp(),
    )
    .option("--plain", "line by line, without painting: for screen readers, and for scripts on stdin")
    .option("--no-animation", "no animations");
}
