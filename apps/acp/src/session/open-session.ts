import { isAbsolute } from "node:path";
import { type McpServer, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { type ThreadClient, type ThreadHost, type ThreadOrigin } from "@unroll/thread-host";
import type { CallGate } from "@unroll/harness";
import type { ProcessIo } from "@unroll/program";
import { toMcpConfig } from "../map/to-mcp-config.ts";
import { toNotice } from "../tell/create-update-teller.ts";
import { createSessionClient, readClientFile, tellUpdates, type ToldClient } from "./session-client.ts";
import { createUnsavedGate } from "../editor/create-unsaved-gate.ts";
import { openEditorFiles } from "../editor/open-editor-files.ts";
import type { Login } from "./login.ts";
import { Session } from "./session.ts";

/** A session that a client asks for. */
export interface AskedSession {
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly origin: ThreadOrigin;
}

/** The client of one thread, and the session of that thread. */
export interface SessionClient extends ThreadClient {
  /** Null: the thread is being opened. */
  readonly session: Session | null;
}

export interface OpenerParts {
  readonly threadHost: ThreadHost<SessionClient>;
  readonly io: ProcessIo;
  readonly client: ToldClient;
  readonly login: Pick<Login, "check">;
}

/** An open session. */
interface OpenedSession {
  readonly session: Session;
  /** Lets its events out, and lists its commands: call it after the client got the id of the session. */
  readonly release: () => Promise<void>;
}

/** Throws `RequestError`, and what opening a thread throws. */
export async function openSession(parts: OpenerParts, asked: AskedSession): Promise<OpenedSession> {
  checkFolders(asked);
  await parts.login.check(asked.cwd);
  const { client, threadHost, io } = parts;
  const { cwd, addDirs, mcpServers, origin } = asked;
  const taken = mcpServers.length === 0 ? [] : (await threadHost.loadConfig(cwd)).mcpServers.map(({ id }) => id);
  const { config, notices } = toMcpConfig(mcpServers, new Set(taken));
  const ask = (path: string, signal: AbortSignal): Promise<string> =>
    readClientFile(client, { sessionId: opened.thread.id, path }, signal);
  const files = openEditorFiles({ ask: client.offers.fileTexts ? ask : null, clock: io });
  let session: Session | null = null;
  const own: SessionClient = {
    ...createSessionClient({ ...client, clock: io, newId: () => io.newId() }),
    get session() {
      return session;
    },
  };
  const request = {
    asked: { cwd, addDirs, config },
    client: own,
    own: { gate: (gate: CallGate) => createUnsavedGate(gate, files) },
  };
  const source = origin.type === "forked" ? (threadHost.threads.get(origin.stored.threadId) ?? null) : null;
  const opened = await (source?.fork({ ...request, turns: null, isEphemeral: false }) ??
    threadHost.open({ ...request, origin }));
  const { thread } = opened;
  const like = source?.client.session ?? null;
  const current = thread.client.session ?? new Session({ client, host: threadHost.host, thread, files, like });
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
