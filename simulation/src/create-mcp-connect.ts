import { type ElicitationPort, type McpConnect, ServerFault } from "@unroll/mcp";
import type { Chance } from "./create-chance.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

type Connection = Awaited<ReturnType<McpConnect>>;

export interface McpWorld {
  readonly chance: Chance;
  readonly faults: () => number;
  readonly secret: string;
  /** A tool of a server began: `script` as the model wrote it. */
  readonly onCall: (tool: { readonly server: string; readonly tool: string }, script: string) => void;
  /** A server got your approval of its form, which has this name. */
  readonly onConsent: (form: string) => void;
  readonly onFault: (what: string) => void;
}

interface Life extends McpWorld {
  readonly serverId: string;
  readonly process: SimulatedProcess;
  readonly reports: Parameters<McpConnect>[1];
}

/** Servers that come late or not at all, whose tools change, and that fail and end while they are used. */
export function createMcpConnect(process: SimulatedProcess, world: McpWorld): McpConnect {
  const { chance, faults, onFault } = world;
  return async (server, reports, signal) => {
    await process.step(`MCP server ${server.id} starts`);
    await wait(process, chance.pick(0, 0, 40, 3000, 30_000), signal);
    if (chance.happens(faults())) {
      onFault("MCP server does not start");
      throw new ServerFault("not_started", "it is broken");
    }
    await process.step(`MCP server ${server.id} is up`);
    return createConnection({ ...world, serverId: server.id, process, reports });
  };
}

function createConnection(life: Life): Connection {
  const { chance, process, reports } = life;
  let kinds = 1;
  /** The ports that it waits for, once for each question. */
  const asked: ElicitationPort[] = [];
  return {
    async listTools(signal) {
      await process.step("MCP tools are listed");
      await wait(process, chance.pick(0, 5, 500), signal);
      return Array.from({ length: kinds }, (_, n) => [toTool(`look${n}`), toTool(`write${n}`)]).flat();
    },
    async callTool({ tool, arguments: input }, { signal, elicit }) {
      const script = String(input["text"]);
      await process.step(`MCP call: ${tool} ${script}`);
      life.onCall({ server: life.serverId, tool }, script);
      if (chance.happens(0.2)) {
        kinds = 1 + chance.below(3);
        reports.onToolsChanged();
      }
      if (elicit !== null && chance.happens(0.5)) await ask(life, { asked, elicit, script, signal });
      await wait(process, chance.pick(0, 30, 2000, 90_000), signal);
      return answer(life, script);
    },
    listResources: async () => ({ entries: [], nextCursor: null }),
    readResource: async () => [],
    isAsking: (elicit) => asked.includes(elicit),
    close: async () => {},
  };
}

interface Asking {
  readonly asked: ElicitationPort[];
  readonly elicit: ElicitationPort;
  readonly script: string;
  readonly signal: AbortSignal;
}

/** Puts a form to the person in the middle of a call. */
async function ask({ serverId, process, onConsent }: Life, { asked, elicit, script, signal }: Asking): Promise<void> {
  const form = script.replace("work", "form");
  await process.step(`MCP form: ${form}`);
  asked.push(elicit);
  try {
    const said = await elicit({ server: serverId, message: `May it be ${form}?`, fields: formFields }, signal);
    if (said.type === "accepted") onConsent(form);
  } finally {
    asked.splice(asked.indexOf(elicit), 1);
  }
}

const formFields: Parameters<ElicitationPort>[0]["fields"] = [
  {
    name: "why",
    title: "Why",
    description: "",
    isRequired: true,
    input: { type: "text", format: null, minLength: 1, maxLength: 20 },
    defaultValue: null,
  },
];

function answer({ chance, faults, secret, onFault, reports }: Life, script: string): CallResult {
  if (chance.happens(faults())) {
    onFault("MCP call fails");
    if (chance.happens(0.5)) throw new ServerFault("refused", "it does not want to");
    reports.onEnded("exit code 1");
    throw new ServerFault("server_died", "it has ended");
  }
  const text = `${script} gives ${chance.pick("ok", secret, "x".repeat(chance.below(3000)))}`;
  return {
    type: "completed",
    content: [{ type: "text", text }],
    structuredContent: null,
    isError: chance.happens(0.1),
  };
}

type CallResult = Awaited<ReturnType<Connection["callTool"]>>;

/** Whether a server says of its tool that it only reads. */
export function isLook(tool: string): boolean {
  return tool.startsWith("look");
}

function toTool(name: string): Awaited<ReturnType<Connection["listTools"]>>[number] {
  const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  return { name, description: `Does ${name}.`, inputSchema, annotations: { readOnlyHint: isLook(name) } };
}

/** As the real one, it throws when it is given up. */
async function wait({ clock }: SimulatedProcess, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal);
  if (signal.aborted) throw signal.reason;
}
