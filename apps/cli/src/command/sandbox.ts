import { addConfigFlags } from "@unroll/program";
import type { SandboxMode } from "@unroll/protocol";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface SandboxFlags {
  readonly sandbox?: SandboxMode;
  readonly config?: readonly string[];
  readonly explain?: boolean;
}

/** `unroll sandbox`: any command in the walls that the agent's commands get. */
export function addSandboxCommand(program: Command, { io, exit }: CommandContext): void {
  addConfigFlags(program.command("sandbox"))
    .description("run a command in the sandbox and give back its exit code; or --explain what it enforces")
    .option("--explain", "print the backend, what it enforces, what it does not, and the argument list")
    .argument("[command...]", "the command, behind --")
    .action(async (argv: readonly string[], flags: SandboxFlags) => {
      const { runSandbox } = await import("./run-sandbox.ts");
      exit(await runSandbox({ argv, ...flags }, io));
    });
}
