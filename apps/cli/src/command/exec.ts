import { defineExecCommand } from "@unroll/exec";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll exec`: the app of that name. */
export function addExecCommand(program: Command, { io, exit }: CommandContext): void {
  defineExecCommand(program.command("exec"), async (options) => {
    const { runExec } = await import("@unroll/exec");
    exit(await runExec(options, io));
  });
}
