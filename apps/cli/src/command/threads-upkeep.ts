import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { openLineTerminal, ProgramError } from "@unroll/program";
import { formatSize, renderAge, renderTable, type TableColumn } from "@unroll/report";
import { countNouns, describeSystemError, showHidden } from "@unroll/text";
import { removeCollected } from "@unroll/use-cases/threads";
import type { CommandRun } from "../run-command.ts";
import { openStore } from "./saved-thread.ts";

/** The flag of commands that delete. */
export interface DeleteFlags {
  readonly force?: boolean;
}

/** The flags of `unroll threads gc`. */
export interface CollectFlags extends DeleteFlags {
  /** Days. */
  readonly olderThan: number;
  readonly archived?: boolean;
  readonly dryRun?: boolean;
}

type Upkeep = Awaited<ReturnType<typeof openStore>>["upkeep"];
type Collected = ReturnType<Upkeep["collect"]> extends AsyncIterable<infer Thread> ? Thread : never;

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the exit code. Throws if a thread is missing or open; the threads before it are archived then. */
export async function archiveThreads(ids: readonly string[], run: CommandRun): Promise<number> {
  const { upkeep } = await openStore(run);
  for (const id of ids) {
    const { threadId, place } = await upkeep.archive(id);
    await run.printFolded(`archived ${threadId}: ${place}`);
  }
  return 0;
}

/** As `archiveThreads` does. */
export async function unarchiveThreads(ids: readonly string[], run: CommandRun): Promise<number> {
  const { upkeep } = await openStore(run);
  for (const id of ids) {
    const { threadId, place } = await upkeep.unarchive(id);
    await run.printFolded(`restored ${threadId}: ${place}`);
  }
  return 0;
}

/** Returns the exit code. Throws if a thread is missing, or if nobody can be asked; nothing is deleted then. */
export async function deleteThreads(
  ids: readonly string[],
  { force = false }: DeleteFlags,
  run: CommandRun,
): Promise<number> {
  const { upkeep } = await openStore(run);
  const found = new Map<string, string>();
  for (const id of ids) {
    const { threadId, place } = await upkeep.find(id);
    found.set(threadId, place);
  }
  const list = [...found].map(([threadId, place]) => `${threadId}: ${place}`);
  if (!force && !(await confirmRemoval(list, run))) return 0;
  for (const threadId of found.keys()) {
    await upkeep.remove(threadId);
    await run.printFolded(`deleted ${threadId}`);
  }
  return 0;
}

/** Returns the exit code. Throws if nobody can be asked; nothing is deleted then. */
export async function collectThreads(flags: CollectFlags, run: CommandRun): Promise<number> {
  const { olderThan, archived = false, dryRun = false, force = false } = flags;
  const { io, signal, print, printFolded } = run;
  const { upkeep } = await openStore(run);
  const place = { now: io.now(), width: run.columns };
  const found: Collected[] = [];
  for await (const thread of upkeep.collect({ usedBefore: place.now - olderThan * dayMs, archived })) {
    signal.throwIfAborted();
    found.push(thread);
    if (dryRun || force) await print(describeCollected(thread, place));
  }
  const size = found.reduce((sum, thread) => sum + (thread.size ?? 0), 0);
  const what = `${countNouns(found.length, "thread")}, ${formatSize(size)}`;
  if (found.length === 0) await printFolded(`All threads were used within the last ${countNouns(olderThan, "day")}.`);
  else if (dryRun) await printFolded(`Would delete ${what}.`);
  else {
    const list = found.map((thread) => describeCollected(thread, place));
    if (!force && !(await confirmRemoval(list, run))) return 0;
    const deleted = await removeCollected(upkeep, found);
    const isAll = deleted === found.length;
    await printFolded(isAll ? `Deleted ${what}.` : `Deleted ${deleted} of ${what}: the others are in use again.`);
  }
  const swept = dryRun ? 0 : await upkeep.sweep();
  if (swept > 0)
    await printFolded(`Removed leftovers of ${countNouns(swept, "thread")} that ended before anything was saved.`);
  return 0;
}

/** Returns the exit code. Throws if there is no such thread, or it is open. */
export async function repairThread(id: string, run: CommandRun): Promise<number> {
  const { upkeep } = await openStore(run);
  const { threadId, place, aside, repairs } = await upkeep.repair(id);
  for (const repair of repairs) await run.printFolded(repair);
  await run.printFolded(
    aside === null ? `${threadId} needs no repair.` : `Repaired ${place}. The old one is ${aside}.`,
  );
  return 0;
}

/** Returns the exit code. Throws at the first file that is not a thread, or whose thread is there; those before it are added then. */
export async function importThreads(files: readonly string[], run: CommandRun): Promise<number> {
  const { upkeep } = await openStore(run);
  for (const file of files) {
    const { threadId, place } = await importFile(resolve(run.io.cwd, file), upkeep);
    await run.printFolded(`imported ${threadId}: ${place}`);
  }
  return 0;
}

/** An error names the file, unless it is the store's own. */
async function importFile(path: string, upkeep: Upkeep): ReturnType<Upkeep["import"]> {
  await using file = await open(path).catch((error: unknown) => {
    throw new ProgramError("input", `${path} cannot be read: ${describeSystemError(error)}.`, { cause: error });
  });
  try {
    return await upkeep.import(file.createReadStream({ autoClose: false }));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "thread_unreadable")) throw error;
    throw new ProgramError("input", `${path}: ${error.message}`, { cause: error });
  }
}

/** Shows what would be deleted, and asks. Throws `ProgramError` if nobody is at a terminal: a script uses `--force`. */
async function confirmRemoval(list: readonly string[], { io, signal, printFolded }: CommandRun): Promise<boolean> {
  if (io.stdin.kind !== "terminal" || !io.stderr.isTerminal) {
    throw new ProgramError("usage", "There is no terminal to ask for confirmation: use --force. Nothing was deleted.");
  }
  using terminal = openLineTerminal(io);
  for (const line of list) terminal.say(showHidden(line));
  const which = list.length === 1 ? "this thread" : `these ${countNouns(list.length, "thread")}`;
  const answer = await terminal.askFresh(`Delete ${which} permanently? [y/N] `, { signal });
  const isConfirmed = /^y(es)?$/i.test(answer?.trim() ?? "");
  if (!isConfirmed) await printFolded("Nothing was deleted.");
  return isConfirmed;
}

const columns: readonly TableColumn<Collected & { readonly now: number }>[] = [
  { value: ({ threadId }) => threadId },
  { value: ({ usedAt, now }) => `used ${renderAge(now - usedAt)}` },
  { value: ({ size }) => formatSize(size) },
  {
    value: ({ isArchived, summary }) =>
      [...(isArchived ? ["archived"] : []), summary?.cwd ?? "?", summary?.name ?? summary?.title ?? ""].join("  "),
  },
];

function describeCollected(thread: Collected, { now, width }: { now: number; width: number | null }): string {
  return renderTable([{ ...thread, now }], { layouts: [columns], width }).lines.join("\n");
}
