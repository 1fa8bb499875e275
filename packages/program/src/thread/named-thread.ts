import type { ThreadStore } from "@unroll/protocol";
import { ProgramError } from "../failure/program-error.ts";

/** The thread that a command line names. */
export interface NamedThread {
  /** Its id or the start of it; `last`: the latest thread of `cwd`. */
  readonly name: string;
  readonly cwd: string;
  /** `last` means the latest thread of any folder. */
  readonly all: boolean;
}

/** Its id as you typed it, or the id of the last thread. Throws `ProgramError` if there is none. */
export async function findThreadId(store: ThreadStore, { name, all, cwd }: NamedThread): Promise<string> {
  if (name !== "last") return name;
  const found = await store.find("last", all ? {} : { cwd });
  if (found !== null) return found;
  const message = all
    ? "No thread is saved yet."
    : `No thread was started in ${cwd}. Give an id (see unroll threads list --all), or use --all for the latest from any folder.`;
  throw new ProgramError("input", message);
}
