import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll apply-patch`: the agent's patch format, for people and scripts. */
export function addApplyPatchCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("apply-patch")
    .description("apply a patch in the apply_patch format, all of it or nothing: unroll apply-patch < patch")
    .option("--check", "say whether it would apply, and write nothing")
    .argument("[patch]", "the patch itself; without it stdin")
    .action(async (patch: string | undefined, flags: { readonly check?: boolean }) => {
      const { applyPatch } = await import("./run-apply-patch.ts");
      exit(await applyPatch({ ...flags, ...(patch === undefined ? {} : { patch }) }, io));
    });
}
