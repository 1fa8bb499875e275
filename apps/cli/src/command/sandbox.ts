import { addConfigFlags, addHostFlag } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { SandboxFlags } from "./run-sandbox.ts";

/** `unroll sandbox`: any command in the sandbox of the agent's commands. */
export function addSandboxCommand(program: Command, { launch }: CommandContext): void {
  addHostFlag(addConfigFlags(program.command("sandbox")))
    .description("run a command in the sandbox and return its exit code (docs/sandbox.md)")
    .option("--explain", "show what the sandbox enforces, what it does not, and how it starts the command")
    .option("--why", "explain the last refusal in this folder's latest thread, and suggest a fix")
    .argument("[command...]", "the command, after --")
    .action((argv: readonly string[], flags: SandboxFlags) =>
      launch(async (run) => (await import("./run-sandbox.ts")).runSandbox(argv, flags, run)),
    );
}
