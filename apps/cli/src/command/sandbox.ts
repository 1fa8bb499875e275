import { addConfigFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { SandboxFlags } from "./run-sandbox.ts";

/** `unroll sandbox`: any command in the sandbox of the agent's commands. */
export function addSandboxCommand(program: Command, { launch }: CommandContext): void {
  addConfigFlags(program.command("sandbox"))
    .description(
      "run a command in the sandbox and return its exit code; or --explain what it enforces, or --why it refused something",
    )
    .option("--explain", "print the backend, what it enforces, what it does not, and the argument list")
    .option(
      "--why",
      "say what the sandbox or the approval policy refused last in this folder's latest thread, and what to do",
    )
    .argument("[command...]", "the command, after --")
    .action((argv: readonly string[], flags: SandboxFlags) =>
      launch(async (run) => (await import("./run-sandbox.ts")).runSandbox(argv, flags, run)),
    );
}
