import { defineReviewCommand, runExec } from "@unroll/exec";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll review`: what `exec review` does, by a short name. */
export function addReviewCommand(program: Command, { io, exit }: CommandContext): void {
  defineReviewCommand(program.command("review"), async (options) => {
    exit(await runExec(options, io));
  });
}
