import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { PatchFlags } from "./run-apply-patch.ts";

/** `unroll apply-patch`: the agent's patch format, for people and scripts. */
export function addApplyPatchCommand(program: Command, { launch }: CommandContext): void {
  program
    .command("apply-patch")
    .description("apply a patch in the apply_patch format, all of it or nothing: unroll apply-patch < patch")
    .option("--check", "report whether it would apply, and write nothing")
    .argument("[patch]", "the patch itself (default: stdin)")
    .action((patch: string | undefined, flags: PatchFlags) =>
      launch(async (run) => (await import("./run-apply-patch.ts")).applyPatch(patch ?? null, flags, run)),
    );
}
