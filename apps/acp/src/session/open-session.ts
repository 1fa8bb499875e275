import { isAbsolute } from "node:path";
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import type { AskedSettings, FrontEnd, ServedOrigin, ServedThread, ThreadRequest } from "@unroll/front-end";
import { createPlanGate, type ProcessIo } from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
import { toMcpConfig } from "../map/to-mcp-config.ts";
import { toNotice } from "../tell/create-update-teller.ts";
import { createClientFollower, tellUpdates, type ToldClient } from "./create-client-follower.ts";
import { type PlanHold, Session } from "./session.ts";

/** What a client asks of a session. */
export interface AskedSession {
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** The thread that it goes on with; null: it is a new one. */
  readonly stored: StoredThread | null;
}

export interface OpenerParts {
  readonly frontEnd: FrontEnd;
  readonly io: ProcessIo;
  readonly client: ToldClient;
  /** Throws `RequestError` where a person has to log in first. */
  readonly checkLogin: (cwd: string) => Promise<void>;
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
  await parts.checkLogin(asked.cwd);
  const { settings, notices } = await settle(parts, asked);
  const hold: PlanHold = { isOn: false };
  const request: Omit<ThreadRequest, "origin"> = {
    asked: settings,
    follower: createFollower(parts),
    own: { gate: (own) => createPlanGate(own, () => hold.isOn) },
  };
  const { stored } = asked;
  const origin: ServedOrigin = stored === null ? { type: "new", isEphemeral: false } : { type: "resumed", stored };
  const opened = await parts.frontEnd.open({ ...request, origin });
  const { client, frontEnd } = parts;
  const reopen = (thread: ServedThread, model: string): Promise<ServedThread> =>
    frontEnd.reopen(thread.id, { ...request, asked: { ...settings, model } });
  const session = new Session({ client, host: frontEnd.host, thread: opened.thread, hold, reopen });
  return {
    session,
    async release() {
      opened.release();
      const told = [...opened.notices, ...notices].map((title) =>
        toNotice({ severity: "warning", title }, client.offers),
      );
      await tellUpdates(client, session.id, told);
      await session.tellCommands();
    },
  };
}

function checkFolders({ cwd, addDirs }: AskedSession): void {
  for (const [place, path] of [["cwd", cwd], ...addDirs.map((each, at) => [`additionalDirectories[${at}]`, each])]) {
    if (path === undefined || isAbsolute(path)) continue;
    throw RequestError.invalidParams({ place }, `${place}: an absolute path is expected.`);
  }
}

interface Settled {
  readonly settings: AskedSettings;
  readonly notices: readonly string[];
}

async function settle({ frontEnd }: OpenerParts, { cwd, addDirs, mcpServers }: AskedSession): Promise<Settled> {
  const base = mcpServers.length === 0 ? null : await frontEnd.loadConfig(cwd);
  const taken = new Set(base?.mcpServers.map(({ id }) => id));
  const { config, notices } = toMcpConfig(mcpServers, taken);
  return { settings: { cwd, addDirs, config }, notices };
}

function createFollower({ client, io }: OpenerParts): ThreadRequest["follower"] {
  return createClientFollower({ ...client, clock: io, newId: () => io.newId() });
}
