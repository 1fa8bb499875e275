import { PassThrough, Readable, Writable } from "node:stream";
import { type AcpOptions, runAcp } from "@unroll/acp";
import {
  client,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { ProcessIo } from "@unroll/program";
import { type ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { ScriptedModelOptions } from "@unroll/scripted-model";

/** The capabilities and answers of a test's editor. */
interface EditorOptions extends Partial<AcpOptions> {
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  /** The option that it takes; null: it cancels; absent: it refuses the request. */
  readonly permit?: (asked: RequestPermissionRequest) => Promise<string | null> | string | null;
  /** Members that its answers to such requests have besides. */
  readonly more?: object;
  /** How the agent waits. Absent: until it need not; no time passes. */
  readonly sleep?: ProcessIo["sleep"];
  /** The text of a file that the editor has open; null: it has none. */
  readonly read?: (path: string) => Promise<string | null> | string | null;
  readonly fill?: (asked: CreateElicitationRequest) => Record<string, string> | null;
}

/** The library's own client, connected to an agent in this process. */
export interface Editor {
  readonly agent: ClientContext;
  readonly hello: InitializeResponse;
  readonly asked: readonly RequestPermissionRequest[];
  readonly updates: readonly SessionUpdate[];
  readonly stderr: () => string;
  /** Resolves with the first update, earlier ones included, that matches. */
  find<Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
    isWanted?: (update: Extract<SessionUpdate, { sessionUpdate: Kind }>) => boolean,
  ): Promise<Extract<SessionUpdate, { sessionUpdate: Kind }>>;
  begin(): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  /** Closes its side; resolves with the exit code. */
  leave(): Promise<number>;
}

export interface AcpWorld extends ModelHome {
  open(options?: EditorOptions): Promise<Editor>;
  /** A program without a client: lines in and out. */
  start(options?: EditorOptions): RawAgent;
}

interface RawAgent {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly ended: Promise<number>;
  readonly stderr: () => string;
}

export async function openAcpWorld(options: ScriptedModelOptions, config = ""): Promise<AcpWorld> {
  const home = await openModelHome(options, config);
  const agents: RawAgent[] = [];
  const start = (own: EditorOptions = {}): RawAgent => {
    const agent = startAgent(home, own);
    agents.push(agent);
    return agent;
  };
  return {
    ...home,
    start,
    open: (own = {}) => connect(start(own), home, own),
    async [Symbol.asyncDispose]() {
      for (const agent of agents) agent.stdin.end();
      await Promise.all(agents.map(({ ended }) => ended));
      await home[Symbol.asyncDispose]();
    },
  };
}

function startAgent(
  { home, work }: ModelHome,
  { env, capabilities: _c, permit: _p, more: _m, fill: _f, read: _r, sleep = untilAborted, ...flags }: EditorOptions,
): RawAgent {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = createTestIo({
    env: { PATH: process.env["PATH"], HOME: home, ...env },
    cwd: work,
    homeDirectory: home,
    sleep,
    stdin: { stream: stdin, kind: "silent" },
    stdout: { stream: stdout, isTerminal: false, size: () => null },
  });
  const ended = runAcp({ version: "0.1.0", openPage: async () => false, ...flags }, io);
  return { stdin, stdout, ended, stderr: () => io.written.stderr };
}

function untilAborted(_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

async function connect(raw: RawAgent, { work }: ModelHome, own: EditorOptions): Promise<Editor> {
  const [updates, asked]: [SessionUpdate[], RequestPermissionRequest[]] = [[], []];
  const waiting = new Set<() => void>();
  const app = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      for (const look of waiting) look();
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      if (own.permit === undefined) throw new Error("nobody is here");
      const optionId = await own.permit(params);
      return { ...own.more, outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
      const content = (await own.read?.(params.path)) ?? null;
      if (content === null) throw new Error("there is no such file");
      return { content };
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      const content = own.fill?.(params) ?? null;
      return content === null ? { action: "decline" } : { action: "accept", content };
    });
  const stream = ndJsonStream(
    Writable.toWeb(raw.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(raw.stdout) as ReadableStream<Uint8Array>,
  );
  const { agent } = app.connect(stream);
  const hello = await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: own.capabilities ?? {},
  });
  return {
    agent,
    hello,
    asked,
    updates,
    stderr: raw.stderr,
    find(kind, isWanted = () => true) {
      type Wanted = Extract<SessionUpdate, { sessionUpdate: typeof kind }>;
      const { promise, resolve } = Promise.withResolvers<Wanted>();
      const look = (): void => {
        const found = updates.find((update) => update.sessionUpdate === kind && isWanted(update as Wanted));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found as Wanted);
      };
      waiting.add(look);
      look();
      return promise;
    },
    begin: () => agent.request(methods.agent.session.new, { cwd: work, mcpServers: [] }),
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
    leave() {
      raw.stdin.end();
      return raw.ended;
    },
  };
}

/** The text of all chunks of this kind. */
export function textOf(
  updates: readonly SessionUpdate[],
  kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" = "agent_message_chunk",
): string {
  return updates
    .flatMap((update) => (update.sessionUpdate === kind && update.content.type === "text" ? [update.content.text] : []))
    .join("");
}
