import { type AskedHost, meetHosts } from "@unroll/egress";
import type { CommandSpec, HostLists, SandboxPolicy, ThreadEvent } from "@unroll/protocol";
import { type HostPorts, listPresetHosts } from "@unroll/sandbox";
import { quoteArgv } from "@unroll/text";
import type { CallGate } from "@unroll/tools";
import type { RuleStore } from "@unroll/approval";
import type { Host } from "../host/host.ts";

/** How the commands of a thread reach hosts by name. */
export interface ThreadHosts {
  /** The hosts of the user's rules, as they are now. */
  readonly rules: () => HostLists;
  /** For commands that are started under a policy with these hosts. */
  readonly toPorts: (own: HostLists) => HostPorts;
  /** Call it once, before a command runs: who decides about hosts that no rule names. */
  readonly setGate: (gate: CallGate) => void;
}

interface ThreadHostsOptions {
  readonly book: RuleStore;
  readonly host: Host;
  /** The policy in force. */
  readonly policy: () => SandboxPolicy;
  readonly tell: (event: ThreadEvent) => void;
}

type Answer = ReturnType<NonNullable<HostPorts["ask"]>>;

/** The host that a connection is for, and those that are asked about with it. */
interface AskedHosts extends Pick<AskedHost, "prompt"> {
  readonly hosts: readonly [string, ...string[]];
}

interface Judged {
  /** The host that a connection was for. */
  readonly wanted: string;
  /** Somebody was asked, about its package manager's other hosts as well. */
  readonly wasAsked: boolean;
  /** Sentences; null: the command may reach it. */
  readonly refusal: string | null;
}

/** In ms: how long a connection waits for an answer. Most clients wait longer for a server. */
const longestAnswerMs = 120_000;

const notPostponed = "A connection cannot wait for an answer that comes later.";

export function createThreadHosts({ book, host, policy: readPolicy, tell }: ThreadHostsOptions): ThreadHosts {
  let gate: CallGate | null = null;
  /** By command and host: an answer holds for all connections of the command to the hosts that were asked about together. */
  const asked = new WeakMap<CommandSpec, Map<string, Promise<Judged>>>();

  /** A command that stays on keeps at most the hosts of its beginning, and no more than the thread has by now. */
  function listHosts(own: HostLists): HostLists {
    const policy = readPolicy();
    const network = policy.mode === "danger-full-access" ? null : policy.network;
    const lists = network?.type === "hosts" ? meetHosts(own, network) : network?.type === "closed" ? none : own;
    const { allow, deny, ask = [] } = book.hosts;
    return {
      allow: network?.type === "closed" ? [] : [...lists.allow, ...allow],
      deny: [...lists.deny, ...deny],
      ask: [...(lists.ask ?? []), ...ask],
    };
  }

  async function judge(asked: AskedHosts, spec: CommandSpec, ends: AbortSignal): Promise<Judged> {
    const [wanted] = asked.hosts;
    if (gate === null || spec.itemId === undefined)
      return { wanted, wasAsked: false, refusal: `${wanted} is not among the hosts that commands may reach.` };
    const told: ThreadEvent["type"][] = [];
    const emit = async (event: ThreadEvent): Promise<void> => {
      told.push(event.type);
      tell(event);
    };
    const conclude = (refusal: Judged["refusal"]): Judged => ({
      wanted,
      wasAsked: told.includes("question.asked"),
      refusal,
    });
    const signal = AbortSignal.any([ends, AbortSignal.timeout(longestAnswerMs)]);
    const call = { type: "host", ...asked, command: quoteArgv(spec.argv), cwd: spec.cwd } as const;
    try {
      const verdict = await gate.judge(call, { itemId: spec.itemId, signal, emit });
      if (verdict.type === "run") return conclude(null);
      return conclude(verdict.type === "declined" ? verdict.message : notPostponed);
    } catch (error) {
      if (!signal.aborted) throw error;
      if (told.at(-1) === "question.asked")
        tell({ type: "question.answered", question: "host.approval", item_id: spec.itemId, answer: "dismissed" });
      return conclude("Nobody answered whether commands may reach it.");
    }
  }

  async function ask({ host: name, port, prompt }: AskedHost, spec: CommandSpec, ends: AbortSignal): Answer {
    const wanted = `${name}:${port}`;
    const answers = asked.get(spec) ?? new Map<string, Promise<Judged>>();
    asked.set(spec, answers);
    const known = answers.get(wanted);
    if (known) {
      const judged = await known;
      if (judged.wasAsked || judged.wanted === wanted) return toAnswer(wanted, judged);
    }
    const hosts = [wanted, ...listPresetHosts(wanted, host)] as const;
    const judged = judge({ hosts, prompt }, spec, ends);
    for (const each of hosts) answers.set(each, judged);
    return toAnswer(wanted, await judged);
  }

  return {
    rules: () => book.hosts,
    toPorts: (own) => ({
      hosts: () => listHosts(own),
      ...toNetwork(host),
      report: tell,
      ask,
    }),
    setGate: (wrapped) => void (gate = wrapped),
  };
}

function toAnswer(wanted: string, { refusal }: Judged): Awaited<Answer> {
  if (refusal === null) return { type: "allowed", rule: wanted };
  return { type: "denied", reason: refusal.startsWith(wanted) ? refusal : `${wanted} was denied. ${refusal}` };
}

/** How this machine leads to hosts. */
export function toNetwork({ env, findAddresses }: Host): Pick<HostPorts, "proxyEnv" | "resolve"> {
  return { proxyEnv: env, ...(findAddresses && { resolve: findAddresses }) };
}

const none: HostLists = { allow: [], deny: [] };
