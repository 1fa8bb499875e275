import type { Decision } from "../language/decision.ts";
import { type ArgumentReader, decisions } from "../language/argument-reader.ts";
import type { RuleLocation } from "../language/rule-location.ts";
import type { NetworkProtocol, NetworkRule } from "./network-rule.ts";
import { describeValue, type Value } from "../language/value.ts";

const protocols: ReadonlyMap<string, NetworkProtocol> = new Map<string, NetworkProtocol>([
  ["http", "http"],
  ["https", "https"],
  ["https_connect", "https"],
  ["http-connect", "https"],
  ["socks5_tcp", "socks5_tcp"],
  ["socks5_udp", "socks5_udp"],
]);

const networkDecisions: ReadonlyMap<string, Decision> = new Map<string, Decision>([
  ...decisions,
  ["deny", "forbidden"],
]);

/** Null where an argument is wrong; the reader holds why. */
export function declareNetworkRule(reader: ArgumentReader, location: RuleLocation): NetworkRule | null {
  const host = readHost(reader, reader.required("host"));
  const protocol = reader.choice(reader.required("protocol"), "protocol", protocols);
  const decision = reader.choice(reader.required("decision"), "decision", networkDecisions);
  const justification = reader.string(reader.optional("justification"), "justification");
  if (host === null || protocol === null || decision === null) return null;
  return { host, protocol, decision, justification, location };
}

function readHost(reader: ArgumentReader, value: Value | null): string | null {
  const text = reader.string(value, "host");
  if (value === null || text === null) return null;
  const host = normaliseHost(text);
  if (host !== null) return host;
  const expected = "one host name or IP address, without scheme, path or wildcard";
  return reader.fail(`found ${describeValue(value)} as host, expected ${expected}`, value.at);
}

/**
 * A host as `network_rule` stores it: lower case, without port, brackets and final dot. Null: it is
 * not a single host.
 */
export function normaliseHost(text: string): string | null {
  const bracketed = /^\[([\dA-Fa-f:.]+)\](?::\d+)?$/.exec(text.trim());
  if (bracketed?.[1] !== undefined) return bracketed[1].toLowerCase();
  const host = text.trim().toLowerCase();
  const withoutPort = /^[^:]+:\d+$/.test(host) ? host.slice(0, host.indexOf(":")) : host;
  const name = withoutPort.replace(/\.+$/, "");
  return name === "" || /[\s*?#/@[\]\\]/.test(name) ? null : name;
}
