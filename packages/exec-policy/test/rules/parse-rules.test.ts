import { formatRulesError, type ParsedRules, parseRules } from "@unroll/exec-policy";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function rulesOf(text: string): Extract<ParsedRules, { type: "rules.parsed" }>["rules"] {
  const parsed = parseRules(text, "default.rules");
  if (parsed.type === "rules.refused") throw new Error(parsed.errors.map(formatRulesError).join("\n"));
  return parsed.rules;
}

function errorsOf(text: string): readonly string[] {
  const parsed = parseRules(text, "default.rules");
  return parsed.type === "rules.parsed" ? [] : parsed.errors.map(formatRulesError);
}

describe("a rules file", () => {
  test("gives its rules with the line and column where each is written", () => {
    const text = [
      "# The team's rules",
      'prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", justification = "It talks to the remote")',
      'network_rule(host = "API.Example.com:443", protocol = "https_connect", decision = "deny")',
      'host_executable(name = "git", paths = ["/usr/bin/git", "~/bin/git", "/usr/bin/git"])',
    ].join("\n");
    expect(rulesOf(text)).toEqual({
      prefixRules: [
        {
          pattern: [["git"], ["push", "fetch"]],
          decision: "prompt",
          env: [],
          justification: "It talks to the remote",
          location: { file: "default.rules", line: 2, column: 1 },
        },
      ],
      networkRules: [
        {
          host: "api.example.com",
          protocol: "https",
          decision: "forbidden",
          justification: null,
          location: { file: "default.rules", line: 3, column: 1 },
        },
      ],
      hostExecutables: [
        {
          name: "git",
          paths: ["/usr/bin/git", "~/bin/git"],
          location: { file: "default.rules", line: 4, column: 1 },
        },
      ],
    });
  });

  test.each([
    ["single quotes", `prefix_rule(pattern=['a', 'it\\'s'])`, [["a"], ["it's"]]],
    ["triple quotes over lines", `prefix_rule(pattern=["""a\nb""", '''c"d''' ])`, [["a\nb"], ['c"d']]],
    ["raw strings", String.raw`prefix_rule(pattern=[r"a\n", r'b\c'])`, [["a\\n"], ["b\\c"]]],
    ["escapes", String.raw`prefix_rule(pattern=["\t\x41\101\u00e9\U0001F600\\"])`, [["\tAAé😀\\"]]],
    ["a tuple", `prefix_rule(pattern=("a", ("b", "c"),),)`, [["a"], ["b", "c"]]],
    ["sums and constants", `GIT = ["git"]\nprefix_rule(pattern=GIT + ["log" + "s"])`, [["git"], ["logs"]]],
    ["brackets over lines with comments", `prefix_rule(\n  pattern = [ # why\n    "a",\n  ],\n)`, [["a"]]],
    ["a line continuation, CRLF and a BOM", `\uFEFFX = \\\r\n  "a"\r\nprefix_rule(pattern=[X])\r\n`, [["a"]]],
    ["two statements on a line and a long comment", `"""About\nthis"""\nX = "a"; prefix_rule(pattern=[X]);`, [["a"]]],
    ["arguments that are None", `prefix_rule(pattern=["a"], justification=None, match=None, decision=None)`, [["a"]]],
  ])("may hold %s", (_, text, pattern) => {
    expect(rulesOf(text).prefixRules.map((rule) => rule.pattern)).toEqual([pattern]);
  });

  test("allows where it names no decision", () => {
    expect(rulesOf('prefix_rule(pattern=["ls"])').prefixRules[0]?.decision).toBe("allow");
  });

  test("tests its rules with their examples, strings split as a shell would", () => {
    const text =
      'prefix_rule(pattern=["git", "commit"], match=["git commit -m \'a b\'", ["git", "commit"]], not_match=["git log"])';
    expect(errorsOf(text)).toEqual([]);
  });

  test("lets examples use the host executables of the file, wherever they stand", () => {
    const text = [
      'prefix_rule(pattern=["az", "login"], match=["/opt/az/bin/az login"], not_match=["/tmp/az login"])',
      'host_executable(name="az", paths=["/opt/az/bin/az"])',
    ].join("\n");
    expect(errorsOf(text)).toEqual([]);
  });
});

describe("a rules file is refused, with file, line and column, for", () => {
  test.each([
    [
      "def",
      "def f():\n  pass",
      "1:1: found def, which a rules file cannot have; expected a call of prefix_rule, network_rule or host_executable, or a constant NAME = value",
    ],
    ["if", "X = 1\nif X: pass", "2:1: found if, which a rules file cannot have"],
    ["load", 'load("x.bzl", "y")', "1:1: found load, which a rules file cannot have"],
    [
      "a comprehension",
      'A = ["a"]\nprefix_rule(pattern=[x for x in A])',
      "2:22: found x, expected a string, a list, or a constant that is defined above this line",
    ],
    [
      "a comprehension over a constant",
      'A = "a"\nprefix_rule(pattern=[A for x in A])',
      "2:24: found for, expected a comma or ]",
    ],
    ["an f-string", 'prefix_rule(pattern=[f"{x}"])', '1:22: found a f"…" string, expected a plain or an r"…" string'],
    ["bytes", 'prefix_rule(pattern=[b"x"])', '1:22: found a b"…" string'],
    [
      "a call as a value",
      'X = "a"\nprefix_rule(pattern=X.split())',
      "2:22: found ., expected a plain value: calls, attributes and indexes are not supported",
    ],
    ["a dictionary", "X = {}", "1:5: found {, expected a value"],
    [
      "an open string",
      'prefix_rule(pattern=["a])',
      "1:22: found a string that is never closed, expected its closing quote",
    ],
    ["an open bracket", 'prefix_rule(pattern=["a"]', "1:26: found the end of the line, expected a comma or )"],
    ["an unknown escape", String.raw`X = "\q"`, String.raw`1:5: found the escape \q in a string`],
    ["a surrogate escape", String.raw`X = "\ud800"`, String.raw`1:5: found the escape \ud800 in a string`],
    [
      "two strings side by side",
      'X = "a" "b"',
      "1:9: found two strings side by side, expected + or a comma between them",
    ],
    ["a foreign character", "X = §", '1:5: found "§", expected a rule, a constant, or a comment'],
    ["an indented line", ' X = "a"', "1:2: found an indented line, expected a statement at the start of its line"],
    ["a second value for a constant", "X = 1\nX = 2", "2:1: found a second value for X, expected only one"],
    [
      "a sum of unlike values",
      'X = "a" + ["b"]',
      '1:11: found the string "a" + a list, expected two strings or two lists around +',
    ],
    ["a float", "X = 1.5", "1:5: found"],
    [
      "an argument without its name",
      'prefix_rule(["a"])',
      "1:13: found [, expected an argument with its name, like pattern = […]",
    ],
    [
      "an argument given twice",
      'prefix_rule(pattern=["a"], pattern=["b"])',
      "1:28: found pattern twice, expected it once",
    ],
    ["lists without end", `X = ${"[".repeat(1000)}`, "found too many brackets inside each other, expected a flat list"],
    ["an unknown function", 'prefix_rules(pattern=["a"])', "1:1: found prefix_rules, which a rules file cannot have"],
    [
      "an unknown argument",
      'prefix_rule(pattern=["a"], why="b")',
      "1:32: prefix_rule: found the argument why, expected pattern, decision, env, match, not_match, justification",
    ],
    ["a missing pattern", "prefix_rule()", "1:1: prefix_rule: expected the argument pattern"],
    [
      "an empty pattern",
      "prefix_rule(pattern=[])",
      "1:21: prefix_rule: found an empty list as pattern, expected a list with at least one word",
    ],
    [
      "an empty alternative",
      'prefix_rule(pattern=["a", []])',
      "1:27: prefix_rule: found an empty list in pattern, expected at least one alternative",
    ],
    [
      "a pattern that is a string",
      'prefix_rule(pattern="git push")',
      '1:21: prefix_rule: found the string "git push" as pattern, expected a list with at least one word',
    ],
    [
      "a number in a pattern",
      'prefix_rule(pattern=["a", 1])',
      "1:27: prefix_rule: found the integer 1 as a word of pattern, expected a string with text in it",
    ],
    [
      "nested alternatives",
      'prefix_rule(pattern=["a", ["b", ["c"]]])',
      "1:33: prefix_rule: found a list as an entry of alternatives, expected a string with text in it",
    ],
    [
      "an unknown decision",
      'prefix_rule(pattern=["a"], decision="deny")',
      '1:37: prefix_rule: found the string "deny" as decision, expected one of "allow", "prompt", "forbidden"',
    ],
    [
      "variables of a rule that forbids",
      'prefix_rule(pattern=["a"], decision="forbidden", env=["A"])',
      '1:54: prefix_rule: found env, expected it only where the decision is "allow"',
    ],
    [
      "a pattern of variables",
      'prefix_rule(pattern=["a"], env=["A", "TEST_*"])',
      '1:32: prefix_rule: found "TEST_*" in env, expected the whole name of a variable',
    ],
    [
      "a variable that is no string",
      'prefix_rule(pattern=["a"], env=[1])',
      "1:33: prefix_rule: found the integer 1 as an entry of env, expected a string with text in it",
    ],
    [
      "an empty justification",
      'prefix_rule(pattern=["a"], justification=" ")',
      '1:42: prefix_rule: found the string " " as justification, expected a string with text in it',
    ],
    [
      "an example with an open quote",
      `prefix_rule(pattern=["a"], match=["a 'b"])`,
      `1:35: prefix_rule: found the string "a 'b", expected a command with closed quotes`,
    ],
    [
      "a match that does not match",
      'X = 1\nprefix_rule(pattern=["git"], match=["ls -l"])',
      "2:37: found the example ls -l, expected it to match the rule of line 2",
    ],
    [
      "a not_match that matches",
      'prefix_rule(pattern=["ls"], not_match=[["ls", "a b"]])',
      "1:40: found the example ls 'a b', expected it not to match the rule of line 1",
    ],
    [
      "a wildcard host",
      'network_rule(host="*.a.com", protocol="http", decision="allow")',
      '1:19: network_rule: found the string "*.a.com" as host, expected one host name or IP address, without scheme, path or wildcard',
    ],
    [
      "a URL as host",
      'network_rule(host="http://a", protocol="http", decision="allow")',
      '1:19: network_rule: found the string "http://a" as host',
    ],
    [
      "an unknown protocol",
      'network_rule(host="a", protocol="ftp", decision="allow")',
      '1:33: network_rule: found the string "ftp" as protocol, expected one of "http", "https"',
    ],
    [
      "a network rule without a decision",
      'network_rule(host="a", protocol="http")',
      "1:1: network_rule: expected the argument decision",
    ],
    [
      "a host executable with a path as name",
      'host_executable(name="/bin/a", paths=[])',
      '1:22: host_executable: found the string "/bin/a" as name, expected a program name without /',
    ],
    [
      "a relative path",
      'host_executable(name="a", paths=["bin/a"])',
      '1:34: host_executable: found the string "bin/a" in paths, expected an absolute path, or one starting with ~/',
    ],
    [
      "a path of another program",
      'host_executable(name="a", paths=["/bin/b"])',
      '1:34: host_executable: found the string "/bin/b" in paths, expected a path that ends in /a',
    ],
  ])("%s", (_, text, error) => {
    expect(errorsOf(text)).toEqual([expect.stringContaining(error)]);
    expect(errorsOf(text)[0]).toMatch(/^default\.rules:\d+:\d+: /);
  });

  test("everything that is wrong with its rules at once", () => {
    const text =
      'prefix_rule(pattern=[])\nprefix_rule(pattern=["a"], decision="x")\nprefix_rule(pattern=["b"], match=["c"])';
    expect(errorsOf(text)).toHaveLength(3);
  });
});

test("no text makes the parser throw", () => {
  const fragments = fc.constantFrom(
    "prefix_rule",
    "(",
    ")",
    "[",
    "]",
    "pattern",
    "=",
    '"a"',
    "'",
    '"""',
    "r",
    "\\",
    "\n",
    "\r\n",
    ",",
    "+",
    "-",
    "#",
    "{",
    "0x1",
    "1",
    ";",
    " ",
    "match",
    "None",
    "X",
    "def",
    "f'",
    "\u{1F600}",
    "\0",
    "host_executable",
  );
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join("")),
  );
  fc.assert(fc.property(texts, (text) => ["rules.parsed", "rules.refused"].includes(parseRules(text, "f").type)));
});

test("a large file is read in a moment", () => {
  const text = Array.from({ length: 2000 }, (_, index) => `prefix_rule(pattern=["tool", "command-${index}"])`).join(
    "\n",
  );
  expect(rulesOf(text).prefixRules).toHaveLength(2000);
});
