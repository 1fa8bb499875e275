import { collectValues } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface CheckFlags {
  readonly rules: readonly string[];
  readonly json?: boolean;
}

/** `unroll execpolicy check`: what the rules say of a command, and which one says it. */
export function addExecPolicyCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("execpolicy")
    .description("look into the rules that judge commands")
    .command("check")
    .description("judge a command by rules files: exit code 0 allow, 1 prompt or forbidden, 2 the rules cannot be read")
    .requiredOption("-r, --rules <file>", "a rules file (repeatable)", collectValues)
    .option("--json", "the whole judgement as one JSON object")
    .argument("<command...>", "the command, behind --")
    .action(async (argv: readonly string[], flags: CheckFlags) => {
      const { checkExecPolicy } = await import("./check-exec-policy.ts");
      exit(await checkExecPolicy({ argv, ...flags }, io));
    });
}
