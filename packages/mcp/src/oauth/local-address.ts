import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";

/** The addresses of a host; rejects if there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/**
 * Loopback, private, link-local and other addresses that are only meaningful locally (IANA
 * special-purpose registries; RFC 6890).
 */
const localRanges: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
];

const localAddresses = new BlockList();
for (const [network, prefix] of localRanges) {
  localAddresses.addSubnet(network, prefix, isIPv6(network) ? "ipv6" : "ipv4");
}

/** The first local address of a URL's host; null: all addresses are public, or the host has none. */
export async function findLocalAddress({ hostname }: URL, resolveHost: ResolveHost): Promise<string | null> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolveHost(host).catch(() => []) : [host];
  return addresses.find((address) => localAddresses.check(address, isIPv6(address) ? "ipv6" : "ipv4")) ?? null;
}

export async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
