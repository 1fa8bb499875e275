import {
  agent,
  type AgentApp,
  type AgentContext,
  type AgentRequestContext,
  type InitializeRequest,
  type InitializeResponse,
  type JsonRpcId,
  type LoadSessionRequest,
  methods,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
  type SessionId,
} from "@agentclientprotocol/sdk";
import type { FrontEnd } from "@unroll/front-end";
import type { ProcessIo } from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
import { toReplay } from "./map/to-replay.ts";
import { toRequestError } from "./map/to-request-error.ts";
import { tellUpdates, type ToldClient } from "./session/create-client-follower.ts";
import type { Login } from "./session/login.ts";
import { openSession } from "./session/open-session.ts";
import type { Session } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import { type ClientOffers, readClientOffers } from "./tell/client-offers.ts";

export interface AgentParts {
  readonly frontEnd: FrontEnd;
  readonly io: ProcessIo;
  readonly version: string;
  readonly login: Login;
  readonly sessions: Sessions;
  /** As of `WatchedStream`. */
  readonly answered: (id: JsonRpcId) => Promise<void>;
  readonly complain: (text: string) => void;
}

/** What answers each method of the protocol, for one client. */
export function createAgent(parts: AgentParts): AgentApp {
  const { login, sessions, complain } = parts;
  const service = new AgentService(parts);
  const { agent: calls } = methods;

  /** What is thrown is told as what it is. */
  function answer<Params, Response>(
    run: (context: AgentRequestContext<Params>) => Response | Promise<Response>,
  ): (context: AgentRequestContext<Params>) => Promise<Response> {
    return async (context) => {
      try {
        return await run(context);
      } catch (error) {
        throw toRequestError(error, complain);
      }
    };
  }

  return agent({ name: "unroll" })
    .onRequest(
      calls.initialize,
      answer(({ params }) => service.initialize(params)),
    )
    .onRequest(
      calls.authenticate,
      answer(({ params, signal }) => login.logIn(params.methodId, signal)),
    )
    .onRequest(
      calls.logout,
      answer(({ signal }) => login.logOut(signal)),
    )
    .onRequest(
      calls.session.new,
      answer((context) => service.begin(context)),
    )
    .onRequest(
      calls.session.load,
      answer((context) => service.load(context)),
    )
    .onRequest(
      calls.session.resume,
      answer((context) => service.resume(context)),
    )
    .onRequest(
      calls.session.list,
      answer(({ params }) => sessions.list(params)),
    )
    .onRequest(
      calls.session.close,
      answer(({ params }) => sessions.close(params.sessionId)),
    )
    .onRequest(
      calls.session.delete,
      answer(({ params }) => sessions.remove(params.sessionId)),
    )
    .onRequest(
      calls.session.prompt,
      answer(({ params, signal }) => sessions.find(params.sessionId).prompt(params.prompt, signal)),
    )
    .onRequest(
      calls.session.setMode,
      answer(({ params }) => sessions.find(params.sessionId).setMode(params.modeId)),
    )
    .onRequest(
      calls.session.setConfigOption,
      answer(async ({ params }) => ({
        configOptions: await sessions.find(params.sessionId).setOption(params.configId, params.value),
      })),
    )
    .onNotification(calls.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());
}

type Opened = ReturnType<Session["describe"]>;

class AgentService {
  readonly #parts: AgentParts;
  /** Null: the client has not said who it is. */
  #offers: ClientOffers | null = null;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async initialize({ clientCapabilities }: InitializeRequest): Promise<InitializeResponse> {
    if (this.#offers !== null) throw RequestError.invalidRequest({}, "initialize was answered before.");
    const offers = readClientOffers(clientCapabilities ?? {});
    this.#offers = offers;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "unroll", title: "unroll", version: this.#parts.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      authMethods: await this.#parts.login.listMethods(offers),
    };
  }

  async begin(context: AgentRequestContext<NewSessionRequest>): Promise<Opened & { readonly sessionId: SessionId }> {
    const session = await this.#open(context, null);
    return { sessionId: session.id, ...session.describe() };
  }

  async resume(context: AgentRequestContext<ResumeSessionRequest>): Promise<Opened> {
    const { sessionId } = context.params;
    const { sessions } = this.#parts;
    const session = sessions.get(sessionId) ?? (await this.#open(context, await sessions.load(sessionId)));
    return session.describe();
  }

  /** The conversation is shown once more before this is answered. */
  async load(context: AgentRequestContext<LoadSessionRequest>): Promise<Opened> {
    const { sessionId } = context.params;
    const { sessions } = this.#parts;
    const stored = await sessions.load(sessionId);
    const session = sessions.get(sessionId) ?? (await this.#open(context, stored));
    await tellUpdates(this.#toClient(context.client), session.id, toReplay(stored.entries, session.cwd));
    return session.describe();
  }

  async #open(
    { params, client: context, requestId }: AgentRequestContext<NewSessionRequest | ResumeSessionRequest>,
    stored: StoredThread | null,
  ): Promise<Session> {
    const { frontEnd, io, login, sessions, answered, complain } = this.#parts;
    const { cwd, additionalDirectories: addDirs = [], mcpServers = [] } = params;
    const client = this.#toClient(context);
    const parts = { frontEnd, io, client, checkLogin: (folder: string) => login.check(folder) };
    const { session, release } = await openSession(parts, { cwd, addDirs, mcpServers, stored });
    sessions.add(session);
    void answered(requestId)
      .then(release)
      .catch((error: unknown) => complain(String(error)));
    return session;
  }

  #toClient(context: AgentContext): ToldClient {
    return { context, offers: this.#offers ?? readClientOffers({}) };
  }
}
