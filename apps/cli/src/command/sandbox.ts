import { type Command, Option } from "commander";
import type { SandboxMode } from "@unroll/protocol";
import type { CommandContext } from "../program.ts";

interface SandboxFlags {
  readonly sandbox?: SandboxMode;
  readonly config?: readonly string[];
  readonly explain?: boolean;
}

/** `unroll sandbox`: any command in the walls that the agent's commands get. */
export function addSandboxCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("sandbox")
    .description("run a command in the sandbox and give back its exit code; or --explain what it enforces")
    .addOption(
      new Option("-s, --sandbox <mode>", "how far the command may reach").choices([
        "read-only",
        "workspace-write",
        "danger-full-access",
      ]),
    )
    .option(
      "-c, --config <key=value>",
      "set a config key (repeatable)",
      (text: string, all: readonly string[] | undefined) => [...(all ?? []), text],
    )
    .option("--explain", "print the backend, what it enforces, what it does not, and the argument list")
    .argument("[command...]", "the command, behind --")
    .action(async (argv: readonly string[], flags: SandboxFlags) => {
      const { runSandbox } = await import("./run-sandbox.ts");
      exit(await runSandbox({ argv, ...flags }, io));
    });
}
