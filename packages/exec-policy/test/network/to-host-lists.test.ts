import { parseRules, renderNetworkRule, toHostLists } from "@unroll/exec-policy";
import { expect, test } from "vitest";

function readHosts(lines: readonly string[]) {
  const parsed = parseRules(lines.join("\n"), "my.rules");
  if (parsed.type !== "rules.parsed") throw new Error("The rules are wrong.");
  return toHostLists(parsed.rules.networkRules);
}

const rule = (host: string, protocol: string, decision: string) =>
  `network_rule(host="${host}", protocol="${protocol}", decision="${decision}")`;

test("network rules are hosts with the ports of their protocol; to forbid or to prompt counts for every port", () => {
  const all = ["allow", "deny", "prompt"].flatMap((decision) =>
    ["http", "https", "socks5_tcp", "socks5_udp"].map((protocol) => rule(`${decision}.example`, protocol, decision)),
  );
  expect(readHosts([...all, rule("2001:db8::1", "https", "allow")])).toEqual({
    allow: ["allow.example:80", "allow.example:443", "allow.example", "[2001:db8::1]:443"],
    deny: ["deny.example:80", "deny.example", "deny.example", "deny.example"],
    ask: ["prompt.example:80", "prompt.example", "prompt.example", "prompt.example"],
  });
});

test("the rule for an approved host allows that host, and at other ports than those of HTTP all of it", () => {
  const hosts = ["a.example:443", "b.example:80", "c.example:22", "[2001:db8::1]:443"];
  expect(readHosts(hosts.map(renderNetworkRule)).allow).toEqual([
    "a.example:443",
    "b.example:80",
    "c.example",
    "[2001:db8::1]:443",
  ]);
});
