import type { ResolvedConfig } from "@unroll/harness";
import { openWorktree, type RunWorktree, toWorktreeName } from "@unroll/process-tree";
import { type ProcessIo, ProgramError, toProgramPlaces } from "@unroll/program";

/** The work tree of a run, or of a task of a batch. `id`: of either. Throws `ProgramError`. */
export async function openRunWorktree(
  config: ResolvedConfig,
  io: Pick<ProcessIo, "env" | "homeDirectory">,
  id: string,
): Promise<RunWorktree> {
  const places = { ...toProgramPlaces(config, io), homeDirectory: io.homeDirectory };
  const opened = await openWorktree(places, toWorktreeName(id));
  if (opened.type === "open") return opened;
  throw new ProgramError(opened.kind, `--worktree: ${opened.message}`);
}
