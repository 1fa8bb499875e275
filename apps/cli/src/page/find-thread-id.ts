import { ProgramError } from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";

/** The id as it was named, or for `last` the id of the thread that was begun last in this folder. Throws `ProgramError`. */
export async function findThreadId(store: ThreadStore, name: string, cwd: string): Promise<string> {
  if (name !== "last") return name;
  const found = await store.find("last", { cwd });
  if (found !== null) return found;
  throw new ProgramError(
    "input",
    `No thread was begun in ${cwd}: name one by its id (unroll threads list shows them).`,
  );
}
