import type { ItemsTurn, Turn, TurnItem } from "@unroll/scripted-model";
import type { AgentBounds } from "../law/agent-laws.ts";
import { boundTask, simulatedRoles } from "../simulated-roles.ts";
import type { Chance } from "../create-chance.ts";

export interface AnswerFacts {
  readonly chance: Chance;
  /** A number that was never given before. */
  readonly count: () => number;
  /** The share of bad answers. */
  readonly faults: number;
  /** Servers that echo what they were sent. */
  readonly secret: string;
  /** Ids of calls that were answered before, which a bad server gives again. */
  readonly usedCalls: readonly string[];
  /** Whether the request holds something encrypted. */
  readonly holdsEncrypted: boolean;
  readonly shellTool: "shell_command" | "exec_command";
  /** Names of tools of MCP servers that the request lists. */
  readonly mcpTools: readonly string[];
  /** Whether tools that it does not list can be called. */
  readonly hasGateway: boolean;
  /** The tools that start sub-agents, wait for them, write to them and stop them; null: the request lists none. */
  readonly agentTools: readonly [start: string, wait: string, send: string, stop: string] | null;
  /** The threads of sub-agents that the request names. */
  readonly agents: readonly string[];
  /** Whether it is asked by a sub-agent whose commands or patches need approval: it gives more of them. */
  readonly isBound: boolean;
  /** A task is given to a sub-agent. */
  readonly onTask: (task: string, bounds: AgentBounds) => void;
  readonly onFault: (what: string) => void;
}

/** The model's answer, or the server's fault instead. */
export function createRandomAnswer(facts: AnswerFacts): Turn {
  const { chance, onFault } = facts;
  if (!chance.happens(facts.faults)) return { items: listItems(facts), ...wayOf(chance) };
  const fault = createFault(facts);
  onFault(fault.name);
  return fault.turn;
}

/** Slow servers, and such as cut a text into many pieces. */
function wayOf(chance: Chance): Pick<ItemsTurn, "delayMs" | "eventDelayMs" | "chunkBytes"> {
  return {
    delayMs: chance.pick(0, 0, 20, 2000, 100_000),
    eventDelayMs: chance.pick(0, 0, 0, 0, 0, 0, 0, 0, 3, 700),
    chunkBytes: chance.pick(8, 1000, 1000, 1000),
  };
}

function listItems(facts: AnswerFacts): readonly TurnItem[] {
  const { chance, count, isBound } = facts;
  const calls = isBound ? chance.pick(0, 1, 1, 2) : chance.pick(0, 0, 1, 1, 2, 3);
  const thought = chance.happens(0.4) ? [{ reasoning: `Thought ${count()}.` }] : [];
  const odd = chance.happens(0.05) ? [{ type: "of_tomorrow", payload: { n: count(), text: "\u2028" } }] : [];
  const said = calls === 0 || chance.happens(0.3) ? [{ text: `answer-${count()}.` }] : [];
  return [...thought, ...odd, ...said, ...Array.from({ length: calls }, () => createCall(facts))];
}

function createCall(facts: AnswerFacts): TurnItem {
  const { chance, count, shellTool, hasGateway, agentTools, isBound } = facts;
  const agentShare = facts.agents.length === 0 ? 0.7 : 0.4;
  if (agentTools !== null && chance.happens(agentShare)) return createAgentCall(facts, agentTools);
  if (isBound && chance.happens(0.4)) return createPatch(count());
  if (hasGateway && chance.happens(0.5)) return createMcpCall(facts);
  const script = `work ${count()}`;
  const again = repeatId(facts);
  const command =
    shellTool === "shell_command"
      ? { command: script, login: false }
      : { cmd: script, yield_time_ms: 250 + chance.below(4000) };
  const run = { call: shellTool, arguments: command, ...again };
  if (isBound && chance.happens(0.6)) return run;
  return chance.pick<TurnItem>(
    run,
    run,
    run,
    { call: "update_plan", arguments: { plan: [{ step: script, status: "pending" }] } },
    { call: "no_such_tool", arguments: {} },
    createBrokenCall(facts),
    { call: shellTool, arguments: '{"command": "work' },
    createPatch(count()),
    { custom: "apply_patch", input: "*** Begin Patch\n*** Delete File: /none.txt\n*** End Patch" },
  );
}

/** A bad server gives an id again. */
function repeatId({ chance, usedCalls }: AnswerFacts): { readonly call_id?: string } {
  const id = chance.happens(0.05) ? usedCalls.at(chance.below(usedCalls.length)) : undefined;
  return id === undefined ? {} : { call_id: id };
}

function createPatch(number: number): TurnItem {
  return {
    custom: "apply_patch",
    input: `*** Begin Patch\n*** Add File: /new-${number}.txt\n+text\n*** End Patch`,
  };
}

/** Such as come without what makes them one, or of a kind that was never asked for. */
function createBrokenCall({ chance, count, shellTool }: AnswerFacts): TurnItem {
  return chance.pick<TurnItem>(
    { type: "function_call", call_id: null, name: shellTool, arguments: "{}" },
    { type: "function_call", name: shellTool, arguments: { n: count() } },
    { type: "local_shell_call", call_id: `local_${count()}`, action: { command: ["true"] } },
  );
}

/** Calls an MCP tool directly, by a name from a search, or by a guessed one. */
function createMcpCall({ chance, count, mcpTools }: AnswerFacts): TurnItem {
  const input = { text: `work ${count()}` };
  const listed = mcpTools[chance.below(mcpTools.length + 1)];
  if (listed !== undefined) return { call: listed, arguments: input };
  const tool = chance.pick("look0", "look1", "write0", "write1", "none");
  const server = chance.pick("one", "two");
  if (chance.happens(0.3)) return { call: `mcp__${server}__${tool}`, arguments: input };
  return { call: "mcp_call", arguments: { server, tool, arguments: input } };
}

/** Starts a sub-agent, or does something with one that may not run any more, or not exist. */
function createAgentCall(
  facts: AnswerFacts,
  [start, wait, send, stop]: NonNullable<AnswerFacts["agentTools"]>,
): TurnItem {
  const { chance, count, shellTool, agents, onTask } = facts;
  const target = agents[chance.below(agents.length + 1)] ?? "nobody";
  const act = chance.pick("start", "start", "wait", "wait", "send", "send", "stop");
  if (agents.length === 0 || act === "start") {
    const task = `task-${count()}.`;
    const only = chance.pick(null, null, [shellTool], ["update_plan"]);
    const isReadOnly = chance.happens(0.2);
    const role = chance.happens(0.6) ? chance.pick(...simulatedRoles) : null;
    onTask(task, boundTask({ only, isReadOnly }, role));
    const bounds = { ...(only && { tools: only }), ...(isReadOnly && { sandbox: "read-only" }) };
    const shared = { ...bounds, ...chance.pick({}, { wait: true }, { wait: false }) };
    const own =
      start === "agent"
        ? { task, ...(role && { role: role.name }) }
        : { task_name: `scout${chance.below(3)}`, message: task, ...(role && { agent_type: role.name }) };
    return { call: start, arguments: { ...own, ...shared }, ...repeatId(facts) };
  }
  switch (act) {
    case "wait": {
      const which = chance.pick({}, { targets: [target] }, { targets: [target, target] }, { targets: agents });
      const how = chance.pick({}, { until: "any" }, { timeout_ms: 0 }, { timeout_ms: 1000 + chance.below(60_000) });
      return { call: wait, arguments: { ...which, ...how } };
    }
    case "send":
      return { call: send, arguments: { target, message: `more-${count()}.` } };
    case "stop":
      return { call: stop, arguments: { target } };
  }
}

/** The server has lost the keys of what it encrypted. */
const keysLost = "keys lost";
export const staleTurn: Turn = {
  status: 400,
  body: { error: { code: "invalid_encrypted_content", message: "Its keys are lost." } },
};

interface Fault {
  readonly name: string;
  readonly turn: Turn;
}

function createFault(facts: AnswerFacts): Fault {
  const { chance, secret, holdsEncrypted } = facts;
  const items = listItems(facts);
  const cut = (how: "close" | "reset" | "end" | "hang"): Fault => ({
    name: `cut: ${how}`,
    turn: { items, cut: { afterBytes: chance.below(6000), how }, ...wayOf(chance) },
  });
  const status = chance.pick(429, 500, 502, 503, 529);
  const wait = chance.pick<Readonly<Record<string, string>>>(
    {},
    {},
    { "retry-after": "7" },
    { "retry-after-ms": "30" },
  );
  return chance.pick<Fault>(
    cut("close"),
    cut("reset"),
    cut("end"),
    cut("hang"),
    { name: `status ${status}`, turn: { status, headers: wait } },
    { name: "status 429", turn: { status: 429, headers: wait } },
    { name: "key echoed", turn: { status: 500, body: { error: { message: `Bad key ${secret}.`, code: secret } } } },
    { name: "refused", turn: { status: 400, body: { error: { code: "invalid_prompt", message: "No." } } } },
    {
      name: "too long",
      turn: { status: 400, body: { error: { code: "context_length_exceeded", message: "It exceeds the window." } } },
    },
    holdsEncrypted ? { name: keysLost, turn: staleTurn } : { name: "status 500", turn: { status: 500 } },
    { name: "failed", turn: { items, end: { failed: { code: "rate_limit_exceeded", message: "Try again in 1ms." } } } },
    { name: "incomplete", turn: { items, end: { incomplete: "max_output_tokens" } } },
    { name: "no end", turn: { items, end: "none" } },
    { name: "garbage", turn: { raw: createGarbage(chance, secret) } },
    { name: "a page", turn: { status: 200, headers: { "content-type": "text/html" }, body: "<html>Busy" } },
  );
}

function createGarbage(chance: Chance, secret: string): Uint8Array {
  const lines = Array.from({ length: 1 + chance.below(5) }, () =>
    chance.pick(
      'data: {"type":"response.output_item.done"}\n\n',
      "data: [DONE]\n\n",
      `: ${secret}\n\n`,
      "event: response.completed\ndata: {}\n\n",
      'data: {"type":"response.created",\n\n',
      "\0\u0001 data\r\r\n",
      `data: {"type":"error","message":"${secret}"}\n\n`,
    ),
  );
  return Buffer.concat([Buffer.from(lines.join("")), Buffer.from([0xff, 0xfe, chance.below(256)])]);
}
