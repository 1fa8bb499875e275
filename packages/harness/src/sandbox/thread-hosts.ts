import { meetHosts } from "@unroll/egress";
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

/** In ms: how long a connection waits for an answer. Most clients wait longer for a server. */
const longestAnswerMs = 120_000;

/** A connection cannot wait for as long as it takes. */
const notPostponed = "It was not answered in time.";

export function createThreadHosts({ book, host, policy: readPolicy, tell }: ThreadHostsOptions): ThreadHosts {
  let gate: CallGate | null = null;
  /** One question for each host of a command: its answer holds for all of its connections. */
  const asked = new WeakMap<CommandSpec, Map<string, Answer>>();

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

  async function judge(wanted: string, spec: CommandSpec, ends: AbortSignal): Answer {
    const refuse = (reason: string): Awaited<Answer> => ({ type: "denied", reason });
    if (gate === null || spec.itemId === undefined)
      return refuse(`${wanted} is not among the hosts that commands may reach.`);
    const signal = AbortSignal.any([ends, AbortSignal.timeout(longestAnswerMs)]);
    const hosts = [wanted, ...listPresetHosts(wanted, host)];
    const context = { itemId: spec.itemId, signal, emit: async (event: ThreadEvent) => tell(event) };
    try {
      const verdict = await gate.judge({ type: "host", hosts, command: quoteArgv(spec.argv), cwd: spec.cwd }, context);
      if (verdict.type === "run") return { type: "allowed", rule: wanted };
      const message = verdict.type === "declined" ? verdict.message : notPostponed;
      return refuse(message.startsWith(wanted) ? message : `${wanted} was denied. ${message}`);
    } catch (error) {
      if (!signal.aborted) throw error;
      return refuse(`${wanted} was not reached: nobody answered whether commands may.`);
    }
  }

  function ask(wanted: string, spec: CommandSpec, ends: AbortSignal): Answer {
    const answers = asked.get(spec) ?? new Map<string, Answer>();
    const answer = answers.get(wanted) ?? judge(wanted, spec, ends);
    asked.set(spec, answers.set(wanted, answer));
    return answer;
  }

  return {
    rules: () => book.hosts,
    toPorts: (own) => ({
      hosts: () => listHosts(own),
      ...toNetwork(host),
      report: tell,
      ask: ({ host: name, port }, spec, ends) => ask(`${name}:${port}`, spec, ends),
    }),
    setGate: (wrapped) => void (gate = wrapped),
  };
}

/** How this machine leads to hosts. */
export function toNetwork({ env, findAddresses }: Host): Pick<HostPorts, "proxyEnv" | "resolve"> {
  return { proxyEnv: env, ...(findAddresses && { resolve: findAddresses }) };
}

const none: HostLists = { allow: [], deny: [] };
