import { realpath } from "node:fs/promises";
import type { ThreadHost } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import type { ThreadClients } from "../thread/thread-clients.ts";

interface NamedThread {
  readonly threadId: string;
  readonly path?: string | null | undefined;
}

/**
 * The id of the thread that a client names by its file, or else by its id. Throws `RequestFault` for a file that is not a
 * saved thread of this Codex home, and for an open thread with another file.
 */
export async function findSavedThread(
  { threadId, path }: NamedThread,
  threadHost: ThreadHost<ThreadClients>,
): Promise<string> {
  if (!path) {
    if (threadId !== "") return threadId;
    throw new RequestFault("invalidParams", "threadId: the id of a thread is expected.");
  }
  const [, found = null] = /([^/\\]{36})\.jsonl$/.exec(path) ?? [];
  const stored = found === null ? null : await threadHost.load(found).catch(() => null);
  if (stored?.path === undefined || !(await isSameFile(stored.path, path)))
    throw new RequestFault("invalidParams", `path: ${path} is not the file of a saved thread of this CODEX_HOME.`);
  if (threadHost.threads.has(threadId) && threadId !== stored.threadId)
    throw new RequestFault(
      "invalidRequest",
      `path: the thread ${threadId} is open, and this is the file of another one.`,
    );
  return stored.threadId;
}

async function isSameFile(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([left, right].map((path) => realpath(path).catch(() => null)));
  return one !== null && one === other;
}
