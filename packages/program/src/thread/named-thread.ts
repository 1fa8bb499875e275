import type { ThreadStore, ThreadSummary } from "@unroll/protocol";
import { ProgramError } from "../failure/program-error.ts";

/** How a command line names the thread that it goes on with or begins a copy of. */
export interface NamedThread {
  /** Its id, or the beginning of it; `last`: the one used last of those that were begun in `cwd`. */
  readonly name: string;
  readonly cwd: string;
  /** `last` is the one of all folders. */
  readonly all: boolean;
}

/**
 * What a harness finds it by: the name as it was written, or the id of the last one of all. Throws `ProgramError` where there
 * is no last one.
 */
export async function findNamedThread(store: ThreadStore, named: NamedThread): Promise<string> {
  if (named.name !== "last" || !named.all) return named.name;
  return (await store.find("last", toQuery(named))) ?? fail(named);
}

/** Its id as it was written, and that of the last one as it is now. Throws `ProgramError` where there is no last one. */
export async function findThreadId(store: ThreadStore, named: NamedThread): Promise<string> {
  return named.name === "last" ? (await findLastThread(store, named)).threadId : named.name;
}

/** The last one, with what a person is told of it. Throws `ProgramError` where there is none. */
export async function findLastThread(store: ThreadStore, named: Omit<NamedThread, "name">): Promise<ThreadSummary> {
  for await (const summary of store.list(toQuery(named))) return summary;
  return fail(named);
}

function toQuery({ all, cwd }: Omit<NamedThread, "name">): { readonly cwd?: string } {
  return all ? {} : { cwd };
}

function fail({ all, cwd }: Omit<NamedThread, "name">): never {
  const message = all
    ? "No thread is kept yet."
    : `No thread was begun in ${cwd}: name one by its id (unroll threads list --all shows them), or say --all for the last one anywhere.`;
  throw new ProgramError("input", message);
}
