import { PassThrough } from "node:stream";
import { type AppServerOptions, runAppServer } from "@unroll/app-server";
import { type ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { expect } from "vitest";
import type { ScriptedModelOptions } from "@unroll/scripted-model";
import { listFaults } from "./codex-schema.ts";

export type Told = Readonly<Record<string, unknown>> & {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

/** A client of a server: it sends requests, and records all messages in order. */
export interface TestClient {
  readonly told: readonly Told[];
  /** Where messages were not valid by the schema of the Codex CLI. */
  readonly faults: readonly string[];
  write(line: string): void;
  /** Resolves with the answer. */
  request(method: string, params?: unknown): Promise<Told>;
  /** Resolves with the first message, earlier ones included, that matches. */
  find(isWanted: (message: Told, index: number) => boolean): Promise<Told>;
}

export interface RunningServer extends TestClient {
  readonly ended: Promise<number>;
  readonly stderr: () => string;
  /** Ends its input. */
  end(): Promise<number>;
  signal(): void;
}

export interface ServerWorld extends ModelHome {
  start(options?: Partial<AppServerOptions>): RunningServer;
  /** Started, and initialized. */
  open(options?: Partial<AppServerOptions>): Promise<RunningServer>;
}

export async function openServerWorld(options: ScriptedModelOptions, config = ""): Promise<ServerWorld> {
  const home = await openModelHome(options, config);
  const servers: RunningServer[] = [];
  const start: ServerWorld["start"] = (own) => {
    const server = startServer(home, own ?? {});
    servers.push(server);
    return server;
  };
  return {
    ...home,
    start,
    async open(own) {
      const server = start(own);
      await server.request("initialize", { clientInfo: { name: "test", version: "1" } });
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end()));
      await home[Symbol.asyncDispose]();
      expect([...new Set(servers.flatMap(({ faults }) => faults))]).toEqual([]);
    },
  };
}

function startServer({ home, work }: ModelHome, own: Partial<AppServerOptions>): RunningServer {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = createTestIo({
    env: { PATH: process.env["PATH"], HOME: home, UNROLL_APP_SERVER_TOKEN: "open-sesame" },
    cwd: work,
    homeDirectory: home,
    stdin: { stream: stdin, kind: "silent" },
    stdout: { stream: stdout, isTerminal: false, size: () => null },
  });
  const ended = runAppServer({ version: "0.1.0", ...own }, io);
  return {
    ...createTestClient({ input: stdout, write: (text) => void stdin.write(text) }),
    ended,
    stderr: () => io.written.stderr,
    end() {
      if (own.listen === undefined) stdin.end();
      else io.send("SIGTERM");
      return ended;
    },
    signal: () => io.send("SIGINT"),
  };
}

interface Wire {
  readonly input: AsyncIterable<string | Uint8Array>;
  readonly write: (text: string) => void;
}

export function createTestClient({ input, write }: Wire): TestClient {
  const [told, faults]: [Told[], string[]] = [[], []];
  const asked = new Map<unknown, string>();
  const waiting = new Set<() => void>();
  let next = 0;
  void read(input, (message) => {
    told.push(message);
    const answers = message.method === undefined ? asked.get(message.id) : undefined;
    faults.push(...listFaults({ ...message, ...(answers !== undefined && { answers }) }));
    for (const wake of waiting) wake();
  });
  function find(isWanted: (message: Told, index: number) => boolean): Promise<Told> {
    const { promise, resolve } = Promise.withResolvers<Told>();
    let seen = 0; // each message is looked at once: a flood is many
    const look = (): void => {
      for (; seen < told.length; seen++) {
        const message = told[seen];
        if (message === undefined || !isWanted(message, seen)) continue;
        waiting.delete(look);
        return resolve(message);
      }
    };
    waiting.add(look);
    look();
    return promise;
  }
  return {
    told,
    faults,
    write,
    find,
    request(method, params) {
      const id = `c${next++}`;
      asked.set(id, method);
      write(`${JSON.stringify({ id, method, params })}\n`);
      return find((message) => (message.id as unknown) === id);
    },
  };
}

async function read(input: Wire["input"], take: (message: Told) => void): Promise<void> {
  let rest = "";
  try {
    for await (const chunk of input) {
      const lines = `${rest}${typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(JSON.parse(line) as Told);
    }
  } catch {
    // the connection was cut
  }
}

/** The thread that an answer is about. */
export function threadOf({ result }: Told): string {
  return ((result ?? {})["thread"] as { readonly id: string }).id;
}

/** Runs a turn to its end. */
export async function runTurn(client: TestClient, threadId: string, own: object = {}): Promise<Told> {
  const before = client.told.length;
  await client.request("turn/start", { threadId, input: [{ type: "text", text: "Go" }], ...own });
  return client.find(({ method }, at) => method === "turn/completed" && at >= before);
}
