import { isIPv6, type Socket } from "node:net";
import { describeThrown } from "@unroll/text";
import { type HostTarget, isAddress, normaliseHost } from "../host/host-pattern.ts";
import { type HostRules, judgeHost } from "../host/host-rules.ts";
import { isSpecialAddress } from "../host/special-address.ts";
import type { EgressEvent } from "./egress-event.ts";
import { connectTo, connectToProxy, openProxyTunnel, type Outgoing, type OutgoingPorts } from "./outgoing.ts";

/** The addresses of a name; rejects, or gives none, where it has none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** A connection to a host that the rules allow, or why there is none. */
export type Dialled =
  | {
      readonly type: "connected";
      readonly outgoing: Outgoing;
      /** The proxy that the connection ends at, which has to hear each request's whole URL. Null: it ends at the host. */
      readonly proxy: URL | null;
    }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "unreachable"; readonly reason: string };

/** A host that somebody is asked about. */
export interface AskedHost extends HostTarget {
  /** The pattern of a rule that asks each time; null: no rule names the host. */
  readonly prompt: string | null;
}

/** The answer about such a host. `reason`: sentences for people and the model. */
export type HostAnswer =
  | { readonly type: "allowed"; readonly rule: string }
  | { readonly type: "denied"; readonly reason: string };

/** The proxy of a company, that hosts are reached by. `unusable`: one is set that cannot be used, in a sentence. */
export type UpstreamProxy =
  | { readonly type: "proxy"; readonly url: URL }
  | { readonly type: "unusable"; readonly reason: string };

/** The ports of a dial. */
export interface DialPorts extends OutgoingPorts {
  readonly rules: () => HostRules;
  readonly resolve: ResolveHost;
  readonly report: (event: EgressEvent) => void;
  /** Asks about a host; the connection waits. Absent: it is denied. */
  readonly ask?: (asked: AskedHost) => Promise<HostAnswer>;
  /** The proxy for `http://host:port/` of a plain request, or `https://host:port/` of a tunnel. Absent, or null: none. */
  readonly findProxy?: (url: URL) => UpstreamProxy | null;
  /** The connections to hosts that are open. */
  readonly outgoing: Set<Socket>;
}

/** A request of plain HTTP goes to a proxy as it is; anything else wants a tunnel. */
export type Passage = "http" | "tunnel";

/**
 * Judges a host, resolves its name, and connects to an address that it judged: a second answer of
 * the name server is never used. Private and other special addresses need a rule that names the
 * address itself. Where a proxy leads there, that proxy resolves the name: this machine's answer is
 * judged all the same, if it has one.
 */
export async function dialHost(target: HostTarget, passage: Passage, ports: DialPorts): Promise<Dialled> {
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
  const prompt = judgement.type === "asked" ? judgement.rule : null;
  const unlisted = { type: "denied", reason: `${name} is not among the hosts that commands may reach.` } as const;
  const verdict = judgement.type === "allowed" ? judgement : ((await ports.ask?.({ ...target, prompt })) ?? unlisted);
  if (verdict.type === "denied") return deny(verdict.reason, prompt);
  const upstream = ports.findProxy?.(new URL(`${passage === "http" ? "http" : "https"}://${name}/`)) ?? null;
  if (upstream?.type === "unusable") return { type: "unreachable", reason: upstream.reason };
  const addresses = isAddress(host) ? [host] : await resolveAll(host, ports.resolve);
  if (addresses.length === 0 && upstream === null)
    return { type: "unreachable", reason: `The name ${host} has no address.` };
  const judged = addresses.filter((address) => {
    if (address === host) return true; // what allows it names it
    const named = judgeHost(rules, { host: address, port });
    return named.type === "allowed" || ((named.type === "asked" || named.rule === null) && !isSpecialAddress(address));
  });
  if (judged.length === 0 && addresses.length > 0) {
    const reason = `${name} has an address that is private, special or denied (${addresses.join(", ")}). It needs a rule that allows this address.`;
    return deny(reason, verdict.rule);
  }
  const connected = upstream
    ? await connectBy(upstream.url, name, { passage, ports })
    : await connectToFirst(judged, port, ports);
  if (connected === null) return { type: "unreachable", reason: `${name} cannot be reached.` };
  if (typeof connected === "string") return { type: "unreachable", reason: connected };
  const { socket } = connected;
  ports.outgoing.add(socket);
  ports.report({ type: "host.allowed", host, port, rule: verdict.rule });
  socket.once("close", () => {
    ports.outgoing.delete(socket);
    const { bytesWritten: sentBytes, bytesRead: receivedBytes } = socket;
    ports.report({ type: "host.closed", host, port, sentBytes, receivedBytes });
  });
  return { type: "connected", outgoing: connected, proxy: (passage === "http" && upstream?.url) || null };
}

/** A sentence: why the proxy gave no connection. */
async function connectBy(
  proxy: URL,
  authority: string,
  { passage, ports }: { readonly passage: Passage; readonly ports: DialPorts },
): Promise<Outgoing | string> {
  try {
    return await (passage === "http" ? connectToProxy(proxy, ports) : openProxyTunnel(proxy, authority, ports));
  } catch (error) {
    return `${authority} cannot be reached: the proxy ${proxy.host} ${describeThrown(error)}.`;
  }
}

async function resolveAll(name: string, resolve: ResolveHost): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => []);
  return addresses.flatMap((address) => {
    const host = normaliseHost(isIPv6(address) ? `[${address}]` : address);
    return host !== null && isAddress(host) ? [host] : [];
  });
}

async function connectToFirst(
  addresses: readonly string[],
  port: number,
  ports: OutgoingPorts,
): Promise<Outgoing | null> {
  for (const host of addresses) {
    const outgoing = await connectTo({ host, port }, ports);
    if (outgoing !== null) return outgoing;
  }
  return null;
}
