import { findLastThread } from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";

/** The id as it was named, or for `last` the id of the thread that was used last of those begun in this folder. */
export async function findThreadId(store: ThreadStore, name: string, cwd: string): Promise<string> {
  return name === "last" ? (await findLastThread(store, { cwd, all: false })).threadId : name;
}
