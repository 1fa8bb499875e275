import { defineExecCommand, runExec } from "@unroll/exec";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll exec`: the app of that name. */
export function addExecCommand(program: Command, { io, exit }: CommandContext): void {
  defineExecCommand(program.command("exec").alias("e"), async (options) => {
    exit(await runExec(options, io));
  });
}
