import type { ThreadStore } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";

/** The thread that a command line names. */
export interface NamedThread {
  /** Its id or the start of it, or the name that you gave it; `last`: the latest thread of `cwd`. */
  readonly name: string;
  readonly cwd: string;
  /** `last` means the latest thread of any folder. Null: the command knows only those of `cwd`. */
  readonly all: boolean | null;
}

/** Its id as you typed it, or the id of the thread with that name, or of the last one. Throws `ProgramError` if `last` or a name is not clear. */
export async function findThreadId(store: ThreadStore, { name, all, cwd }: NamedThread): Promise<string> {
  if (name !== "last") return findNamed(store, name);
  const found = await store.find("last", all ? {} : { cwd });
  if (found !== null) return found;
  const message =
    all === true
      ? "No thread is saved yet."
      : all === null
        ? `No thread was started in ${cwd}. unroll threads list --all shows those of other folders.`
        : `No thread was started in ${cwd}. Give an id (see unroll threads list --all), or use --all for the latest from any folder.`;
  throw new ProgramError("input", message);
}

const wholeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An id comes first. Any other text is returned unchanged, and the store refuses it. */
async function findNamed(store: ThreadStore, idOrName: string): Promise<string> {
  if (wholeId.test(idOrName)) return idOrName;
  const named: string[] = [];
  for await (const { threadId, name } of store.list()) {
    if (threadId.startsWith(idOrName)) return idOrName;
    if (name === idOrName) named.push(threadId);
  }
  const [only = idOrName, ...others] = named;
  if (others.length === 0) return only;
  throw new ProgramError(
    "input",
    `${named.length} threads have the name ${showHidden(idOrName)}. Give the id of one: ${named.join(", ")}.`,
  );
}
