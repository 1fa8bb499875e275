import { connect, isIPv6, type Socket } from "node:net";
import { type HostTarget, isAddress, normaliseHost } from "../host/host-pattern.ts";
import { type HostRules, judgeHost } from "../host/host-rules.ts";
import { isSpecialAddress } from "../host/special-address.ts";
import type { EgressEvent } from "./egress-event.ts";

/** The addresses of a name; rejects, or gives none, where it has none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** A connection to a host that the rules allow, or why there is none. */
export type Dialled =
  | { readonly type: "connected"; readonly socket: Socket }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "unreachable"; readonly reason: string };

/** The answer about a host that no rule names. `reason`: sentences for people and the model. */
export type HostAnswer =
  | { readonly type: "allowed"; readonly rule: string }
  | { readonly type: "denied"; readonly reason: string };

/** The ports of a dial. */
export interface DialPorts {
  readonly rules: () => HostRules;
  readonly resolve: ResolveHost;
  readonly report: (event: EgressEvent) => void;
  /** Asks about a host that no rule names; the connection waits. Absent: it is denied. */
  readonly ask?: (target: HostTarget) => Promise<HostAnswer>;
  /** The connections to hosts that are open. */
  readonly outgoing: Set<Socket>;
  readonly connectTimeoutMs: number;
}

/**
 * Judges a host, resolves its name, and connects to an address that it judged: a second answer of
 * the name server is never used. Private and other special addresses need a rule that names the
 * address itself.
 */
export async function dialHost(target: HostTarget, ports: DialPorts): Promise<Dialled> {
  const { host, port } = target;
  const rules = ports.rules();
  const deny = (reason: string, rule: string | null): Dialled => {
    ports.report({ type: "host.denied", host, port, rule, reason });
    return { type: "denied", reason };
  };
  const name = `${host}:${String(port)}`;
  const judgement = judgeHost(rules, target);
  if (judgement.type === "denied" && judgement.rule !== null)
    return deny(`${name} is denied by the rule ${judgement.rule}.`, judgement.rule);
  const unlisted = { type: "denied", reason: `${name} is not among the hosts that commands may reach.` } as const;
  const verdict = judgement.type === "allowed" ? judgement : ((await ports.ask?.(target)) ?? unlisted);
  if (verdict.type === "denied") return deny(verdict.reason, null);
  const addresses = isAddress(host) ? [host] : await resolveAll(host, ports.resolve);
  if (addresses.length === 0) return { type: "unreachable", reason: `The name ${host} has no address.` };
  const judged = addresses.filter((address) => {
    const named = judgeHost(rules, { host: address, port });
    return named.type === "allowed" || (named.rule === null && !isSpecialAddress(address));
  });
  if (judged.length === 0) {
    const reason = `${name} has an address that is private, special or denied (${addresses.join(", ")}). It needs a rule that allows this address.`;
    return deny(reason, verdict.rule);
  }
  const socket = await connectToFirst(judged, port, ports.connectTimeoutMs);
  if (socket === null) return { type: "unreachable", reason: `${name} cannot be reached.` };
  ports.outgoing.add(socket);
  ports.report({ type: "host.allowed", host, port, rule: verdict.rule });
  socket.once("close", () => {
    ports.outgoing.delete(socket);
    const { bytesWritten: sentBytes, bytesRead: receivedBytes } = socket;
    ports.report({ type: "host.closed", host, port, sentBytes, receivedBytes });
  });
  return { type: "connected", socket };
}

async function resolveAll(name: string, resolve: ResolveHost): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => []);
  return addresses.flatMap((address) => {
    const host = normaliseHost(isIPv6(address) ? `[${address}]` : address);
    return host !== null && isAddress(host) ? [host] : [];
  });
}

async function connectToFirst(addresses: readonly string[], port: number, timeoutMs: number): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = await connectTo(address.replace(/^\[|\]$/g, ""), port, timeoutMs);
    if (socket !== null) return socket;
  }
  return null;
}

function connectTo(host: string, port: number, timeoutMs: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    const give = (): void => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(timeoutMs, give);
    socket.on("error", give);
    socket.once("connect", () => {
      socket.off("error", give).removeAllListeners("timeout").setTimeout(0);
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
  });
}
