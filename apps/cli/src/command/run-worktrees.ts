import { type LeftWorktree, listWorktrees, removeWorktree } from "@unroll/process-tree";
import { exitCodes, loadProgramConfig, ProgramError, toProgramPlaces } from "@unroll/program";
import { renderTable, type TableColumn } from "@unroll/report";
import { countNouns } from "@unroll/text";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll worktrees remove`. */
export interface RemoveFlags {
  readonly force?: boolean;
}

const columns: readonly TableColumn<LeftWorktree>[] = [
  { value: ({ name }) => name },
  { value: ({ state }) => state },
  { value: ({ tree }) => tree ?? "" },
  { value: ({ reason }) => reason ?? "" },
];

/** Returns the exit code. */
export async function listLeft({ json = false }: { readonly json?: boolean }, run: CommandRun): Promise<number> {
  const left = await listWorktrees(await findPlaces(run));
  if (json) for (const worktree of left) await run.printJson(worktree);
  else if (left.length === 0) await run.printFolded("There are no worktrees of runs or sub-agents.");
  else for (const line of renderTable(left, { layouts: [columns], width: run.columns }).lines) await run.print(line);
  return exitCodes.completed;
}

/** Returns the exit code: 1 if a named one stays. Throws `ProgramError` for `--force` without names; nothing is removed then. */
export async function removeLeft(
  names: readonly string[],
  { force = false }: RemoveFlags,
  run: CommandRun,
): Promise<number> {
  if (force && names.length === 0)
    throw new ProgramError("usage", "--force needs the names of worktrees: unroll worktrees list shows them.");
  const places = await findPlaces(run);
  const known = (await listWorktrees(places)).map(({ name }) => name);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0)
    throw new ProgramError("input", `There is no worktree ${missing.join(", ")}: unroll worktrees list shows them.`);
  let [removed, kept] = [0, 0];
  for (const name of names.length === 0 ? known : names) {
    run.signal.throwIfAborted();
    const { isRemoved, state, tree, reason } = await removeWorktree(name, force, places);
    if (isRemoved) removed += 1;
    else kept += 1;
    if (isRemoved) await run.printFolded(`removed ${tree ?? name}`);
    else await run.printFolded(`kept ${tree ?? name}: ${state}${reason === null ? "" : `. ${reason}`}`);
  }
  if (removed + kept === 0 || removed === 0)
    await run.printFolded(kept === 0 ? "There are no worktrees of runs or sub-agents." : "Nothing was removed.");
  else await run.printFolded(`Removed ${countNouns(removed, "worktree")}.`);
  return names.length > 0 && kept > 0 ? exitCodes.failed : exitCodes.completed;
}

async function findPlaces({ host, io }: CommandRun): Promise<Parameters<typeof listWorktrees>[0]> {
  const config = await loadProgramConfig({}, host);
  return { ...toProgramPlaces(config, io), homeDirectory: io.homeDirectory };
}
