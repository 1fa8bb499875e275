import { type CapturedRequest, createModelInMemory, type ResponseBytes, type Turn } from "@unroll/scripted-model";
import type { AgentLaws } from "../law/agent-laws.ts";
import type { LawBook } from "../law/law-book.ts";
import type { RequestLaws } from "../law/request-laws.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import { type ArrivedRequest, type ServedSocket, SimulatedSocket } from "../simulated-socket.ts";
import { chooseGuise, type ChosenServer } from "./choose-guise.ts";
import { type AnswerFacts, createRandomAnswer, staleTurn } from "./random-answer.ts";
import { createOutages } from "./create-outages.ts";
import { sendAnswer } from "./send-answer.ts";

/** The model's server, which outlasts every process. */
export interface SimulatedServer {
  /** Its preset in the config. */
  readonly preset: ChosenServer["preset"];
  /** How many requests came. */
  readonly requests: number;
  /** It can read again what it encrypted: who was refused may not have kept that in mind. */
  restoreKeys(): void;
  /** Opens a connection from a process. */
  connect(process: SimulatedProcess): SimulatedSocket;
}

export interface ServerOptions extends Pick<AnswerFacts, "chance" | "count" | "secret" | "onFault"> {
  /** The only models that may be asked here. */
  readonly models: readonly string[];
  readonly book: LawBook;
  readonly laws: RequestLaws;
  readonly agents: AgentLaws;
  readonly faults: () => number;
  readonly bytesOf: (threadId: string) => Buffer;
  readonly now: () => number;
}

export function createSimulatedServer(options: ServerOptions): SimulatedServer {
  const { chance, book, laws, onFault } = options;
  const usedCalls: string[] = [];

  const lost = new Set<string>();
  const findOutage = createOutages(options);

  function respond(request: Pick<CapturedRequest, "raw" | "headers">): Turn {
    const text = request.raw.toString("latin1");
    const held = [...text.matchAll(/"encrypted_content":"([^"]+)"/g)].map(([, content = ""]) => content);
    if (held.some((content) => lost.has(content))) {
      book.breach("what was refused is sent again");
      return staleTurn;
    }
    const turn = findOutage(readModel(text)) ?? choose(text, String(request.headers["thread-id"]));
    if (turn === staleTurn) for (const content of held) lost.add(content);
    return turn;
  }

  function choose(text: string, threadId: string): Turn {
    const faults = options.faults();
    if (asksForNotes(text) && !chance.happens(faults))
      return { items: [{ text: "Task: work. Done: some. Next: more." }] };
    for (const [, id = ""] of text.slice(-3000).matchAll(/"type":"function_call",[^{}]*"call_id":"([^"]+)"/g))
      usedCalls.push(id);
    const ofThread = readBounds(options, threadId);
    return createRandomAnswer({ ...options, ...readFacts(text), ...ofThread, faults, usedCalls });
  }

  const { name, guise, preset } = chooseGuise(chance, options.models);
  book.note(`the server of ${options.models.join(" and ")} is ${name}`);
  const model = createModelInMemory({
    respond,
    checks: { prefix: false },
    allowViolations: true,
    now: options.now,
    ...(guise && { guise }),
  });
  let told = 0;

  async function serve(process: SimulatedProcess, request: ArrivedRequest, socket: ServedSocket): Promise<void> {
    const threadId = request.headers["thread-id"] ?? "";
    await process.step(`request of ${request.body.length} bytes`);
    if (request.headers["authorization"] !== `Bearer ${options.secret}`)
      book.breach("a server gets another credential than its own");
    if (request.method === "GET") return void (await sendAnswer({ answer: noList, socket, process, chance }));
    const isBeside = asksForNotes(request.body.subarray(-6000).toString("latin1"));
    const asked = readModel(request.body.toString("latin1", 0, 200));
    if (!options.models.includes(asked)) book.breach(`a server is asked for a model of another one: ${asked}`);
    laws.check({ threadId, process, body: request.body, file: options.bytesOf(threadId), asksForNotes: isBeside });
    let isAnswered = false;
    options.agents.check({ threadId, body: request.body, isWaiting: () => !isAnswered && socket.isOpen });
    const answer = await model.answer(request.headers, request.body);
    for (const { rule, message } of model.violations.slice(told)) book.breach(`${rule}: ${message}`);
    told = model.violations.length;
    if (!isBeside) laws.answered({ threadId, process }, answer.chunks);
    const isSent = await sendAnswer({ answer, socket, process, chance });
    isAnswered = true;
    if (isSent && !isBeside && answer.ending === "whole")
      laws.finished({ threadId, process, body: request.body }, answer.chunks);
  }

  return {
    preset,
    get requests() {
      return model.requests.length;
    },
    restoreKeys: () => lost.clear(),
    connect(process) {
      const socket = new SimulatedSocket((request, served) => void serve(process, request, served));
      if (chance.happens(options.faults() / 5)) {
        onFault("no connection");
        const refused = Object.assign(new Error("connect ECONNREFUSED"), {
          code: "ECONNREFUSED",
          errno: -111,
          syscall: "connect",
        });
        queueMicrotask(() => socket.destroy(refused));
      }
      return socket;
    },
  };
}

/** The bounds of the thread that asks, whose work and tasks the laws remember. */
function readBounds(
  { agents, count }: Pick<ServerOptions, "agents" | "count">,
  threadId: string,
): Pick<AnswerFacts, "count" | "isBound" | "onTask"> {
  const { isReadOnly, isAsking } = agents.boundsOf(threadId);
  return {
    isBound: isReadOnly || isAsking,
    onTask: (task, bounds) => agents.given(task, bounds),
    count() {
      const number = count();
      agents.wrote(threadId, number);
      return number;
    },
  };
}

/** It does not say which models it has. */
const noList: ResponseBytes = {
  status: 404,
  headers: { "content-type": "application/json" },
  chunks: [Buffer.from("{}")],
  delayMs: 0,
  chunkDelayMs: 0,
  ending: "whole",
};

/** As of `agentToolNames` of `tools`: start, wait, send, stop. */
const agentToolStyles: readonly NonNullable<AnswerFacts["agentTools"]>[] = [
  ["spawn_agent", "wait_agent", "send_message", "interrupt_agent"],
  ["agent", "agent_wait", "agent_send", "agent_stop"],
];

/** The tools and contents of a request. */
function readFacts(
  text: string,
): Pick<AnswerFacts, "shellTool" | "mcpTools" | "hasGateway" | "holdsEncrypted" | "agentTools" | "agents"> {
  return {
    shellTool: text.includes('"name":"exec_command"') ? "exec_command" : "shell_command",
    mcpTools: [...new Set(text.match(/(?<="name":")mcp__(?:one|two)__\w+(?=")/g))],
    hasGateway: text.includes('"name":"mcp_call"'),
    holdsEncrypted: text.includes('"encrypted_content":"'),
    agentTools: agentToolStyles.find(([start]) => text.includes(`"name":"${start}"`)) ?? null,
    agents: [...new Set(text.match(/(?<=Sub-agent [^"()]* \(thread )[0-9a-f-]{36}(?=\))/g))],
  };
}

/** The model that a request asks, by the beginning of its text. */
function readModel(text: string): string {
  return /"model":"([^"]+)"/.exec(text)?.[1] ?? "";
}

/** Whether a request asks for a summary, by the end of its text. */
function asksForNotes(text: string): boolean {
  return text.slice(-6000).includes("about to be shortened");
}
