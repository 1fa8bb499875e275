import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { lookup } from "node:dns/promises";
import {
  type AskedHost,
  createEgressProxy,
  type EgressProxy,
  type HostAnswer,
  readHostRules,
  type ResolveHost,
  type UpstreamProxy,
} from "@unroll/egress";
import type { CommandSpec, ConfinedPolicy, HostEvent, HostLists } from "@unroll/protocol";
import { findProxy } from "@unroll/text";
import { createHostTrace } from "./host-trace.ts";

/** The ports of a runner whose commands reach hosts by name. */
export interface HostPorts {
  /** The hosts that the thread's commands may reach by now, those approved meanwhile included. Absent: those of the policy. */
  readonly hosts?: () => HostLists;
  /** Gets an event about each host. */
  readonly report?: (event: HostEvent) => void;
  /** Asks about a host; the connection waits. `ends`: the command is over. Absent: it is denied. */
  readonly ask?: (asked: AskedHost, spec: CommandSpec, ends: AbortSignal) => Promise<HostAnswer>;
  /** Absent: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** Its `https_proxy`, `http_proxy` and `no_proxy`, in either case, name the proxy that leads there. Absent: none. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
}

/** The way of one command to the hosts that it may reach. */
export interface HostDoor {
  readonly accept: (socket: Socket) => void;
  /**
   * Listens on 127.0.0.1 until it is closed, where a command has no network of its own that its socket could come from.
   * Returns the port.
   */
  readonly listen: () => Promise<number>;
  /** The hosts that were denied, in sentences. */
  readonly denials: () => readonly string[];
  /** Ends its connections, and reports them. */
  readonly close: () => Promise<void>;
}

/** Null: the policy lets no command reach hosts by name, or this command runs outside of it. */
export function openHostDoor(
  spec: CommandSpec,
  policy: ConfinedPolicy,
  { hosts, report = () => {}, ask = deny, resolve = resolveBySystem, proxyEnv = {} }: HostPorts,
): HostDoor | null {
  const { network } = policy;
  if (network.type !== "hosts") return null;
  const trace = createHostTrace(spec, report);
  const over = new AbortController();
  let isOver = false;
  let proxy: EgressProxy | null = null;
  // Most commands connect to nothing, so the proxy begins with the first connection.
  const accept = (socket: Socket): void => {
    if (isOver) return void socket.destroy();
    proxy ??= createEgressProxy({
      rules: () => readHostRules(hosts ? hosts() : network),
      resolve,
      report: trace.hear,
      ask: (asked) => ask(asked, spec, over.signal),
      findProxy: (url) => findUpstream(url, proxyEnv),
    });
    proxy.accept(socket);
  };
  let server: Server | null = null;
  return {
    accept,
    async listen() {
      server = createServer({ allowHalfOpen: true }, accept).listen(0, "127.0.0.1").unref();
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("The proxy for hosts has no port.");
      return address.port;
    },
    denials: trace.denials,
    async close() {
      isOver = true;
      server?.close();
      if (proxy !== null) {
        over.abort();
        await proxy[Symbol.asyncDispose]();
      }
      trace.close();
    },
  };
}

const deny = async ({ host, port, prompt }: AskedHost): Promise<HostAnswer> => ({
  type: "denied",
  reason:
    prompt === null
      ? `${host}:${port} is not among the hosts that commands may reach. To allow it: --allow-host ${host}:${port}`
      : `${host}:${port} needs an answer each time: your network_rule for ${prompt} asks. To allow it, change that rule.`,
});

/** The company's proxy for an address, as requests to models use it. Its user and password stay with us. */
function findUpstream(address: URL, env: NonNullable<HostPorts["proxyEnv"]>): UpstreamProxy | null {
  const found = findProxy(address, env);
  if (found === null) return null;
  const url = found.host === null ? null : URL.parse(env[found.variable] ?? "");
  const reason = `No host can be reached: the proxy in ${found.variable} cannot be used; write it as http://HOST:PORT.`;
  return url === null ? { type: "unusable", reason } : { type: "proxy", url };
}

const resolveBySystem: ResolveHost = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);
