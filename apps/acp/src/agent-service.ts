import {
  type AgentContext,
  type AgentRequestContext,
  type InitializeRequest,
  type InitializeResponse,
  type JsonRpcId,
  type LoadSessionRequest,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import type { ThreadHost } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
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
  /** For whoever looks at stderr. */
  readonly complain: (text: string) => void;
}

type Opened = ReturnType<Session["describe"]>;

/** What is known of the client, and how sessions are opened for it. */
export class AgentService {
  readonly #parts: AgentParts;
  /** Null: the client has not said who it is. */
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
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      authMethods: await login.listMethods(this.#offers),
    };
  }

  async begin(context: AgentRequestContext<NewSessionRequest>): Promise<Opened & { readonly sessionId: string }> {
    const session = await this.#open(context, null);
    return { sessionId: session.id, ...session.describe() };
  }

  async resume(context: AgentRequestContext<ResumeSessionRequest>): Promise<Opened> {
    const { sessions } = this.#parts;
    const { sessionId } = context.params;
    const session = sessions.get(sessionId) ?? (await this.#open(context, await sessions.load(sessionId)));
    return session.describe();
  }

  /** The conversation is shown once more before this is answered. */
  async load(context: AgentRequestContext<LoadSessionRequest>): Promise<Opened> {
    const { sessions } = this.#parts;
    const { sessionId } = context.params;
    const stored = await sessions.load(sessionId);
    const session = sessions.get(sessionId) ?? (await this.#open(context, stored));
    await tellUpdates(this.#toClient(context.client), sessionId, toReplay(stored.entries, session));
    return session.describe();
  }

  async #open(
    { params, client, requestId }: AgentRequestContext<NewSessionRequest | ResumeSessionRequest>,
    stored: StoredThread | null,
  ): Promise<Session> {
    const { threadHost, io, login, answered, complain } = this.#parts;
    const { cwd, additionalDirectories: addDirs = [], mcpServers = [] } = params;
    const parts = { threadHost, io, login, client: this.#toClient(client) };
    const { session, release } = await openSession(parts, { cwd, addDirs, mcpServers, stored });
    const told = answered(requestId).then(release);
    told.catch((error: unknown) => complain(String(error)));
    return session;
  }

  #toClient(context: AgentContext): ToldClient {
    return { context, offers: this.#offers ?? readClientOffers({}) };
  }
}
