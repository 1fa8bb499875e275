import { judgeCommand, parseRules, type RuleSet } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const parsed = parseRules(
  [
    'network_rule(host="a.example", protocol="https", decision="prompt")',
    'network_rule(host="A.example.", protocol="https", decision="deny")',
    'network_rule(host="[2001:DB8::1]:443", protocol="socks5_tcp", decision="prompt")',
  ].join("\n"),
  "net.rules",
);
const rules: RuleSet | null = parsed.type === "rules.parsed" ? parsed.rules : null;

test.each([
  ["curl https://a.example", 2],
  ["curl https://A.EXAMPLE:443", 2],
  ["ssh [2001:db8::1]:443", 3],
  ["curl http://a.example", null],
  ["curl https://b.a.example", null],
] as const)("%j meets the strictest rule for its host", (command, line) => {
  const verdict = rules && judgeCommand({ argv: command.split(" ") }, rules, { cwd: "/w", home: null });
  expect(verdict?.source.type === "network.matched" ? verdict.source.rule.location.line : null).toBe(line);
});
