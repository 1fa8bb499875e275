import {
  type AgentContext,
  type AgentRequestContext,
  type ForkSessionRequest,
  type InitializeRequest,
  type InitializeResponse,
  type JsonRpcId,
  type LoadSessionRequest,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from "@agentclientprotocol/sdk/unstable";
import type { ThreadHost, ThreadOrigin } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import { tellUpdates, type ToldClient } from "./session/session-client.ts";
import type { Login } from "./session/login.ts";
import { openSession, type SessionClient } from "./session/open-session.ts";
import type { Session } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import { type ClientOffers, readClientOffers } from "./tell/client-offers.ts";
import { toReplay } from "./tell/to-replay.ts";

export interface AgentParts {
  readonly threadHost: ThreadHost<SessionClient>;
  readonly io: ProcessIo;
  readonly version: string;
  readonly login: Login;
  readonly sessions: Sessions;
  /** As of `WatchedStream`. */
  readonly answered: (id: JsonRpcId) => Promise<void>;
  /** Writes to stderr. */
  readonly complain: (text: string) => void;
}

type OpenedSession = ReturnType<Session["describe"]>;

interface SessionName {
  readonly sessionId: string;
}

/** Opens sessions for one client. */
export class AgentService {
  readonly #parts: AgentParts;
  /** Null before `initialize`. */
  #offers: ClientOffers | null = null;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async initialize({ clientCapabilities }: InitializeRequest): Promise<InitializeResponse> {
    if (this.#offers !== null) throw RequestError.invalidRequest({}, "initialize was answered before.");
    const { login, version } = this.#parts;
    this.#offers = readClientOffers(clientCapabilities ?? {});
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "unroll", title: "unroll", version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      authMethods: await login.listMethods(this.#offers),
    };
  }

  async begin(context: AgentRequestContext<NewSessionRequest>): Promise<OpenedSession & SessionName> {
    const session = await this.#open(context, { type: "new", isEphemeral: false });
    return { sessionId: session.id, ...session.describe() };
  }

  async resume(context: AgentRequestContext<ResumeSessionRequest>): Promise<OpenedSession> {
    const { sessions } = this.#parts;
    const { sessionId } = context.params;
    const open = sessions.get(sessionId);
    if (open !== null) return open.describe();
    const session = await this.#open(context, { type: "resumed", stored: await sessions.load(sessionId) });
    return session.describe();
  }

  /** Shows the thread again before the answer. */
  async load(context: AgentRequestContext<LoadSessionRequest>): Promise<OpenedSession> {
    const { sessions } = this.#parts;
    const { sessionId } = context.params;
    const stored = await sessions.load(sessionId);
    const session = sessions.get(sessionId) ?? (await this.#open(context, { type: "resumed", stored }));
    await tellUpdates(this.#toClient(context.client), sessionId, toReplay(stored.entries, session));
    return session.describe();
  }

  /** A copy of a session, open or stored. */
  async fork(context: AgentRequestContext<ForkSessionRequest>): Promise<OpenedSession & SessionName> {
    const stored = await this.#parts.sessions.load(context.params.sessionId);
    const session = await this.#open(context, { type: "forked", stored, turns: null, isEphemeral: false });
    return { sessionId: session.id, ...session.describe() };
  }

  async #open(
    { params, client, requestId }: AgentRequestContext<NewSessionRequest | ResumeSessionRequest>,
    origin: ThreadOrigin,
  ): Promise<Session> {
    const { threadHost, io, login, answered, complain } = this.#parts;
    const { cwd, additionalDirectories: addDirs = [], mcpServers = [] } = params;
    const parts = { threadHost, io, login, client: this.#toClient(client) };
    const { session, release } = await openSession(parts, { cwd, addDirs, mcpServers, origin });
    const released = answered(requestId).then(release);
    released.catch((error: unknown) => complain(String(error)));
    return session;
  }

  #toClient(context: AgentContext): ToldClient {
    return { context, offers: this.#offers ?? readClientOffers({}) };
  }
}
