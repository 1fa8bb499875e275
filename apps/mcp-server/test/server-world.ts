import { randomUUIDv7 } from "node:crypto";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  Client,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { type McpServerOptions, runMcpServer } from "@unroll/mcp-server";
import type { ProcessIo } from "@unroll/program";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@unroll/scripted-model";

/** Answers a question of the server; more members than the protocol has may be given. */
type Answering = (params: ElicitRequest["params"]) => Promise<ElicitResult> | ElicitResult;

interface RunningServer {
  readonly client: Client;
  readonly ended: Promise<number>;
  readonly stderr: () => string;
  call(name: string, given: Record<string, unknown>): Promise<CallToolResult>;
  /** Ends its input. */
  end(): Promise<number>;
}

/** A home folder, a working folder and a scripted model, all gone when it is disposed. */
export interface ServerWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: ScriptedModel;
  /** A server, and the SDK's client on it, which greets. `answer`: absent, the client cannot be asked. */
  open(answer?: Answering, negotiation?: "legacy" | "auto"): Promise<RunningServer>;
  /** A server to which lines are written as they are; gives the messages that it wrote until its input had ended. */
  say(lines: readonly string[]): Promise<readonly Record<string, unknown>[]>;
}

export async function openServerWorld(options: ScriptedModelOptions): Promise<ServerWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-mcp-server-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  const model = await startScriptedModel(options);
  await mkdir(join(home, ".codex"), { recursive: true });
  await mkdir(work);
  const provider = `[model_providers.test]\nname = "test"\npreset = "openai"\nbase_url = "${model.url}"\n`;
  await writeFile(join(home, ".codex/config.toml"), `model = "gpt-5"\nmodel_provider = "test"\n${provider}`);
  const servers: RunningServer[] = [];
  return {
    home,
    work,
    model,
    async open(answer, negotiation = "legacy") {
      const { stdin, stdout, ...process } = startServer({ home, work });
      const client = new Client(
        { name: "test", version: "1" },
        { capabilities: answer === undefined ? {} : { elicitation: {} }, versionNegotiation: { mode: negotiation } },
      );
      // past the SDK's own checks: clients of other servers answer otherwise
      if (answer !== undefined)
        client.fallbackRequestHandler = async ({ params }) => answer(params as ElicitRequest["params"]);
      await client.connect(createClientTransport(stdout, stdin));
      const server: RunningServer = {
        ...process,
        client,
        call: async (name, given) => (await client.callTool({ name, arguments: given })) as CallToolResult,
        end() {
          stdin.end();
          return process.ended;
        },
      };
      servers.push(server);
      return server;
    },
    async say(lines) {
      const { stdin, stdout, ended } = startServer({ home, work });
      const told: Record<string, unknown>[] = [];
      createInterface({ input: stdout }).on("line", (line) => {
        told.push(JSON.parse(line) as Record<string, unknown>);
      });
      stdin.end(lines.map((line) => `${line}\n`).join(""));
      await ended;
      return told;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end()));
      await model.close();
      await folder.remove();
    },
  };
}

interface StartedServer extends Pick<RunningServer, "ended" | "stderr"> {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
}

function startServer(
  { home, work }: Pick<ServerWorld, "home" | "work">,
  own: Partial<McpServerOptions> = {},
): StartedServer {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let complaints = "";
  stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const io: ProcessIo = {
    env: { PATH: process.env["PATH"], HOME: home },
    cwd: work,
    platform: process.platform,
    nodeVersion: process.versions.node,
    homeDirectory: home,
    ownFolders: [],
    stdin: { stream: stdin, kind: "silent" },
    stdout: { stream: stdout, isTerminal: false, size: () => null },
    stderr: { stream: stderr, isTerminal: false, size: () => null },
    now: Date.now,
    localDay: () => ({ date: "2026-11-23", timeZone: "Europe/Berlin" }),
    elapsed: () => performance.now(),
    sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
    random: Math.random,
    newId: () => randomUUIDv7(),
    onSignal: () => () => {},
    onOrphaned: () => () => {},
    pid: process.pid,
    exitNow: () => {
      throw new Error("exitNow");
    },
  };
  const ended = runMcpServer({ version: "0.1.0", ...own }, io);
  return { stdin, stdout, ended, stderr: () => complaints };
}

/** As a client has it that started the server as a process. */
function createClientTransport(input: PassThrough, output: PassThrough): Transport {
  const transport: Transport = {
    async start() {
      createInterface({ input }).on("line", (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    },
    async send(message) {
      output.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      output.end();
      transport.onclose?.();
    },
  };
  return transport;
}
