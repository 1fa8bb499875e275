import { addBudgetFlags, addThreadFlags, collectValues } from "@unroll/program";
import { type Command, Option } from "commander";
import type { TerminalOptions } from "@unroll/terminal";
import type { CommandContext } from "../command-context.ts";

/** What the flags of `addTerminalFlags` say. */
export type TerminalFlags = Omit<TerminalOptions, "prompt" | "from">;

interface TalkFlags extends TerminalFlags {
  readonly fullAuto?: boolean;
}

/** `unroll [PROMPT]`: a conversation at the terminal, with approvals. */
export function addTalk(program: Command, { io, exit }: CommandContext): void {
  addTerminalFlags(program.enablePositionalOptions())
    .argument("[prompt]", "what to do first; none: it waits for you")
    .option("-i, --image <file>", "send this image with the prompt (repeatable)", collectValues)
    .option("--ephemeral", "keep neither the conversation nor what you type")
    .action(async (prompt: string | undefined, flags: TalkFlags) => {
      if (prompt !== undefined) refuseSlip(program, prompt);
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

/** One word that is nearly a subcommand was meant as one. */
function refuseSlip(program: Command, prompt: string): void {
  if (!/^[a-z][a-z-]*$/.test(prompt)) return;
  const near = program.commands.map((each) => each.name()).find((name) => isSlip(prompt, name));
  if (near === undefined) return;
  program.error(`error: unknown command '${prompt}': did you mean ${near}? (To send it as a prompt: " ${prompt}")`);
}

/** One letter too much, too little, another one, or two in the wrong order. */
function isSlip(typed: string, name: string): boolean {
  if (typed === name || Math.abs(typed.length - name.length) > 1) return false;
  let at = 0;
  while (at < name.length && typed[at] === name[at]) at += 1;
  const [rest, wanted] = [typed.slice(at), name.slice(at)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return rest.slice(1) === wanted.slice(1) || rest === wanted.slice(1) || rest.slice(1) === wanted || isSwapped;
}
