import type { ListSessionsRequest, ListSessionsResponse, SessionInfo } from "@agentclientprotocol/sdk/unstable";
import { type ThreadHost, readThreadPage } from "@unroll/thread-host";
import type { StoredThread, ThreadSummary } from "@unroll/protocol";
import { toMissing } from "../map/to-request-error.ts";
import type { SessionClient } from "./open-session.ts";
import type { Session } from "./session.ts";

/** The sessions of a client, open and stored. */
export interface Sessions {
  /** Null if it is not open. */
  get(sessionId: string): Session | null;
  /** Throws `RequestError` if it is not open. */
  find(sessionId: string): Session;
  list(query: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** Throws if none is stored by that id. */
  load(sessionId: string): Promise<StoredThread>;
  /** Ends its turn and closes it; it can be resumed. */
  close(sessionId: string): Promise<void>;
  /** For good. */
  remove(sessionId: string): Promise<void>;
  /** Ends the turns of all of them. */
  cancelAll(): void;
}

export function createSessions(threadHost: ThreadHost<SessionClient>): Sessions {
  const get = (sessionId: string): Session | null => threadHost.threads.get(sessionId)?.client.session ?? null;

  const find = (sessionId: string): Session => {
    const session = get(sessionId);
    if (session !== null) return session;
    throw toMissing(sessionId, `sessionId: ${sessionId} is not open: session/load or session/resume opens it.`);
  };
  const close = async (sessionId: string): Promise<void> => {
    get(sessionId)?.cancel();
    await threadHost.close(sessionId);
  };

  return {
    find,
    get,
    async list({ cwd: wanted, cursor = null }) {
      // a session has a folder, and a thread that some other program kept may not say where it was
      const isWanted = ({ cwd }: ThreadSummary): boolean => cwd !== null && (wanted ?? cwd) === cwd;
      const query = { cursor, size: null, archived: false, isWanted };
      const { threads, nextCursor } = await readThreadPage(await threadHost.openStore(), query);
      return { sessions: threads.map(toInfo), ...(nextCursor !== null && { nextCursor }) };
    },
    async load(sessionId) {
      const stored = await threadHost.load(sessionId);
      checkWhole(sessionId, stored);
      return stored;
    },
    close: async (sessionId) => close(find(sessionId).id),
    async remove(sessionId) {
      await close(sessionId);
      const { upkeep } = await threadHost.openStore();
      checkWhole(sessionId, await upkeep.find(sessionId));
      await upkeep.remove(sessionId);
    },
    cancelAll: () => threadHost.threads.forEach(({ client }) => client.session?.cancel()),
  };
}

/** The store takes the start of an id; a client must give the whole id. */
function checkWhole(sessionId: string, { threadId }: { readonly threadId: string }): void {
  if (threadId !== sessionId) throw toMissing(sessionId, `sessionId: there is no session ${sessionId}.`);
}

function toInfo({ threadId: sessionId, cwd, name, title, usedAt }: ThreadSummary): SessionInfo {
  return { sessionId, cwd: cwd ?? "", title: name ?? title, updatedAt: new Date(usedAt).toISOString() };
}
