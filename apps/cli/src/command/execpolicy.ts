import { collectValues } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { CheckFlags } from "./check-exec-policy.ts";

/** `unroll execpolicy check`: what the rules say of a command, and which rule says it. */
export function addExecPolicyCommand(program: Command, { launch }: CommandContext): void {
  program
    .command("execpolicy")
    .description("test the rules that allow, prompt for or forbid commands")
    .command("check")
    .description("check a command against rules files: exit code 0 allow, 1 prompt or forbidden, 2 unreadable rules")
    .requiredOption("-r, --rules <file>", "a rules file (repeatable)", collectValues)
    .option("--json", "print the full result as one JSON object")
    .argument("<command...>", "the command, after --")
    .action((argv: readonly string[], flags: CheckFlags) =>
      launch(async (run) => (await import("./check-exec-policy.ts")).checkExecPolicy(argv, flags, run)),
    );
}
