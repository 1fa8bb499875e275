import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RemoveFlags } from "./run-worktrees.ts";

/** `unroll worktrees`: those that runs and sub-agents left. */
export function addWorktreesCommand(program: Command, { launch }: CommandContext): void {
  const worktrees = program
    .command("worktrees")
    .description("list and remove the git worktrees of runs and sub-agents (docs/agents.md)");
  worktrees
    .command("list")
    .description("list them: in use, unused, or with changes")
    .option("--json", "one JSON object a line")
    .action((flags: { readonly json?: boolean }) =>
      launch(async (run) => (await import("./run-worktrees.ts")).listLeft(flags, run)),
    );
  worktrees
    .command("remove")
    .description("remove unused ones with their branches; one with changes only by name and with --force")
    .argument("[names...]", "which ones (default: all that are unused)")
    .option("--force", "also remove named ones with changes, and their branches")
    .action((names: readonly string[], flags: RemoveFlags) =>
      launch(async (run) => (await import("./run-worktrees.ts")).removeLeft(names, flags, run)),
    );
}
