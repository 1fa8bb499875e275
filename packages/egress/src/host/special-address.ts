import { BlockList } from "node:net";

/** IANA's special-purpose registries (RFC 6890), metadata services within, and the prefixes that carry an IPv4 address. */
const ranges = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["168.63.129.16", 32, "ipv4"], // Azure's, of the machine itself
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
] as const;

const special = new BlockList();
for (const [network, prefix, family] of ranges) special.addSubnet(network, prefix, family);

/** Global unicast is 2000::/3; Teredo (2001::/32), documentation (2001:db8::/32) and 6to4 (2002::/16) lie in it. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
const carriers = new BlockList();
carriers.addSubnet("2001::", 23, "ipv6");
carriers.addSubnet("2001:db8::", 32, "ipv6");
carriers.addSubnet("2002::", 16, "ipv6");
carriers.addSubnet("3fff::", 20, "ipv6");

/** Whether an address, as `normaliseHost` gives it, is not one of the public internet: private, link-local, NAT64 … */
export function isSpecialAddress(address: string): boolean {
  if (!address.startsWith("[")) return special.check(address, "ipv4");
  const plain = address.slice(1, -1);
  return !globalUnicast.check(plain, "ipv6") || carriers.check(plain, "ipv6");
}
