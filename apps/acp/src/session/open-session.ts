import { isAbsolute } from "node:path";
import { type McpServer, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import {
  createUnsavedGate,
  openEditorFiles,
  type ThreadClient,
  type ThreadHost,
  type ThreadOrigin,
} from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
import { toMcpConfig } from "../map/to-mcp-config.ts";
import { toNotice } from "../tell/create-update-teller.ts";
import { createSessionClient, readClientFile, tellUpdates, type ToldClient } from "./session-client.ts";
import type { Login } from "./login.ts";
import { Session } from "./session.ts";

/** What a client asks of a session. */
export interface AskedSession {
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** The thread that it goes on with; null: it is a new one. */
  readonly stored: StoredThread | null;
}

/** The client of one thread, and the session that the thread is to it. */
export interface SessionClient extends ThreadClient {
  /** Null: the thread is just being opened. */
  readonly session: Session | null;
}

export interface OpenerParts {
  readonly threadHost: ThreadHost<SessionClient>;
  readonly io: ProcessIo;
  readonly client: ToldClient;
  readonly login: Pick<Login, "check">;
}

/** A session that was opened. */
interface OpenedSession {
  readonly session: Session;
  /** To be called when the client was told of it: it is told then what happened meanwhile, and what it can type. */
  readonly release: () => Promise<void>;
}

/** Throws `RequestError`, and what opening a thread throws. */
export async function openSession(parts: OpenerParts, asked: AskedSession): Promise<OpenedSession> {
  checkFolders(asked);
  await parts.login.check(asked.cwd);
  const { client, threadHost, io } = parts;
  const { cwd, addDirs, mcpServers, stored } = asked;
  const taken = mcpServers.length === 0 ? [] : (await threadHost.loadConfig(cwd)).mcpServers.map(({ id }) => id);
  const { config, notices } = toMcpConfig(mcpServers, new Set(taken));
  const ask = (path: string, signal: AbortSignal): Promise<string> =>
    readClientFile(client, { sessionId: opened.thread.id, path }, signal);
  const files = openEditorFiles({ ask: client.offers.fileTexts ? ask : null, clock: io });
  const origin: ThreadOrigin = stored === null ? { type: "new", isEphemeral: false } : { type: "resumed", stored };
  let session: Session | null = null;
  const own: SessionClient = {
    ...createSessionClient({ ...client, clock: io, newId: () => io.newId() }),
    get session() {
      return session;
    },
  };
  const opened = await threadHost.open({
    origin,
    asked: { cwd, addDirs, config },
    client: own,
    own: { gate: (gate) => createUnsavedGate(gate, files) },
  });
  const { thread } = opened;
  const known = thread.client.session;
  const current = known ?? new Session({ client, host: threadHost.host, thread, files });
  session = current;
  return {
    session: current,
    async release() {
      opened.release();
      const toWarning = (title: string): SessionUpdate => toNotice({ severity: "warning", title }, client.offers);
      await tellUpdates(client, current.id, [...opened.notices, ...notices].map(toWarning));
      await current.tellCommands();
    },
  };
}

function checkFolders({ cwd, addDirs }: AskedSession): void {
  const places = [["cwd", cwd] as const, ...addDirs.map((path, at) => [`additionalDirectories[${at}]`, path] as const)];
  const wrong = places.find(([, path]) => !isAbsolute(path));
  if (wrong !== undefined)
    throw RequestError.invalidParams({ place: wrong[0] }, `${wrong[0]}: an absolute path is expected.`);
}
