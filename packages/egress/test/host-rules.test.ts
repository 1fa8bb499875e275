import { hasTighterHosts, judgeHost, parseHostPattern } from "@unroll/egress";
import { expect, test } from "vitest";

test.each([
  ["Registry.Example.ORG.", "registry.example.org"],
  ["bücher.example:8443", "xn--bcher-kva.example:8443"],
  ["*.Example.com", "*.example.com"],
  ["0x7f.1", "127.0.0.1"],
  ["2130706433:80", "127.0.0.1:80"],
  ["[::FFFF:127.0.0.1]", "127.0.0.1"],
  ["[2001:DB8::0:1]:443", "[2001:db8::1]:443"],
  ["localhost", "localhost"],
])("%s names the host %s", (text, expected) => {
  const parsed = parseHostPattern(text);
  expect(parsed.type === "pattern" && rulesOf([text]).allow).toEqual(rulesOf([expected]).allow);
  expect(parsed.type === "pattern" ? judge([text], expected.replace("*.", "a.")) : null).toBe(expected);
});

test.each([
  "",
  "*",
  "*.com",
  "*.127.0.0.1",
  "a..b",
  "https://a.example",
  "a.example/x",
  "u@a.example",
  "a b",
  "a%2e.example",
  "a.example:0",
  "a.example:65536",
  "a.example:x",
  "::1",
  "[::1",
  "-a.example",
  "a.*.example",
  "1.2.3.4.5",
  "256.1.1.1",
])("%j is not a host", (text) => expect(parseHostPattern(text).type).toBe("refused"));

test.each(["::1", "2001:db8::1", "fe80::1:443"])("%s is refused as an address that needs brackets", (text) => {
  const reason = "is an IPv6 address without brackets; write `[address]` or `[address]:port`";
  expect(parseHostPattern(text)).toEqual({ type: "refused", reason });
});

test("a wildcard means the names below, not the name itself, nor names that only end alike", () => {
  const rules = rulesOf(["*.example.com"], ["secret.example.com"]);
  const hosts = ["a.example.com", "a.b.example.com", "example.com", "badexample.com", "secret.example.com"];
  expect(hosts.map((host) => judgeHost(rules, { host, port: 443 }))).toEqual([
    { type: "allowed", rule: "*.example.com" },
    { type: "allowed", rule: "*.example.com" },
    { type: "denied", rule: null },
    { type: "denied", rule: null },
    { type: "denied", rule: "secret.example.com" },
  ]);
});

test.each([
  [[], [], ["a.example"], [], true],
  [["a.example:443"], [], ["a.example"], [], true],
  [["a.example"], [], ["a.example:443"], [], false],
  [["x.a.example", "*.b.a.example"], [], ["*.a.example"], [], true],
  [["*.a.example"], [], ["x.a.example"], [], false],
  [["a.example"], [], ["*.a.example"], [], false],
  [["x.a.example"], [], ["*.a.example"], ["x.a.example"], false],
  [["x.a.example"], [], ["*.a.example"], ["y.a.example"], true],
  [["*.a.example"], ["*.a.example:22"], ["*.a.example"], ["y.a.example:22"], true],
  [["*.a.example"], [], ["*.a.example"], ["y.a.example:22"], false],
])("%j without %j is at most %j without %j: %s", (...given) => {
  const [allow, deny, outerAllow, outerDeny, expected] = given;
  expect(hasTighterHosts(rulesOf(allow, deny), rulesOf(outerAllow, outerDeny))).toBe(expected);
});

function rulesOf(allow: readonly string[], deny: readonly string[] = []) {
  const [allowed, denied] = [allow, deny].map((texts) =>
    texts.map((text) => {
      const parsed = parseHostPattern(text);
      if (parsed.type === "refused") throw new Error(`${text} ${parsed.reason}`);
      return parsed.pattern;
    }),
  );
  return { allow: allowed ?? [], deny: denied ?? [] };
}

function judge(allow: readonly string[], target: string) {
  const [pattern] = rulesOf([target]).allow;
  const verdict = judgeHost(rulesOf(allow), { host: pattern?.host ?? "", port: pattern?.port ?? 443 });
  return verdict.rule;
}
