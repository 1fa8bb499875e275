import { checkCommand } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const context = { cwd: "/work", home: "/home/ana" };

test("a check names the decision and the rules that made it, as plain JSON data", () => {
  const files = [
    { file: "a.rules", text: 'prefix_rule(pattern=["git", "push"], decision="prompt", justification="Ask first")' },
    { file: "b.rules", text: '\nprefix_rule(pattern=["npm", "test"])' },
  ];
  const check = checkCommand(files, ["bash", "-lc", "npm test && /usr/bin/git push origin && ls"], context);
  expect(JSON.parse(JSON.stringify(check))).toEqual({
    type: "check.completed",
    decision: "prompt",
    reason: "The rule a.rules:1 asks about `/usr/bin/git push origin`: Ask first",
    matchedRules: [
      { prefixRuleMatch: { matchedPrefix: ["npm", "test"], decision: "allow", file: "b.rules", line: 2 } },
      {
        prefixRuleMatch: {
          matchedPrefix: ["git", "push"],
          decision: "prompt",
          justification: "Ask first",
          resolvedProgram: "/usr/bin/git",
          file: "a.rules",
          line: 1,
        },
      },
    ],
    commands: [
      { argv: ["npm", "test"], decision: "allow", source: "rule.matched" },
      { argv: ["/usr/bin/git", "push", "origin"], decision: "prompt", source: "rule.matched" },
      { argv: ["ls"], decision: "allow", source: "read.recognised" },
    ],
  });
});

test("a check without rules says what is known of the command itself", () => {
  expect(checkCommand([], ["rm", "-rf", "/"], context)).toEqual({
    type: "check.completed",
    decision: "prompt",
    reason: "Dangerous: `rm -rf /` deletes / with everything in it.",
    matchedRules: [],
    commands: [{ argv: ["rm", "-rf", "/"], decision: "prompt", source: "danger.found" }],
  });
});

test("a check with a file that cannot be read gives the errors of all files", () => {
  const files = [
    { file: "a.rules", text: "def" },
    { file: "b.rules", text: "prefix_rule()" },
    { file: "c.rules", text: "" },
  ];
  const check = checkCommand(files, ["ls"], context);
  expect(check.type === "check.failed" ? check.errors.map((error) => error.file) : []).toEqual(["a.rules", "b.rules"]);
});

test("a network rule that stops a command is named with its host", () => {
  const text = 'network_rule(host="evil.com", protocol="https", decision="forbidden", justification="Not ours")';
  expect(checkCommand([{ file: "net.rules", text }], ["curl", "https://evil.com/x"], context)).toEqual({
    type: "check.completed",
    decision: "forbidden",
    reason: "The rule net.rules:1 forbids `curl https://evil.com/x`, which names evil.com: Not ours",
    matchedRules: [],
    commands: [
      {
        argv: ["curl", "https://evil.com/x"],
        decision: "forbidden",
        source: "network.matched",
        networkRule: { host: "evil.com", file: "net.rules", line: 1 },
      },
    ],
  });
});
