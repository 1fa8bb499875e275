import { findNetworkRule, parseRules, type RuleSet } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const parsed = parseRules(
  [
    'network_rule(host="a.example", protocol="https", decision="allow")',
    'network_rule(host="A.example.", protocol="https", decision="deny")',
    'network_rule(host="[2001:DB8::1]:443", protocol="socks5_tcp", decision="prompt")',
  ].join("\n"),
  "net.rules",
);
const rules: RuleSet | null = parsed.type === "rules.parsed" ? parsed.rules : null;

test.each([
  ["a.example", "https", 2],
  ["A.EXAMPLE:443", "https", 2],
  ["[2001:db8::1]:443", "socks5_tcp", 3],
  ["2001:db8::1", "socks5_tcp", 3],
  ["a.example", "http", null],
  ["b.a.example", "https", null],
  ["", "https", null],
] as const)("a connection to %j by %s meets the strictest rule for it", (host, protocol, line) => {
  expect(rules && findNetworkRule(host, protocol, rules)?.location.line).toBe(line ?? undefined);
});
