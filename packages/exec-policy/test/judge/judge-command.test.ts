import { judgeCommand, mergeRules, parseRules, type RuleSet } from "@unroll/exec-policy";
import { describe, expect, test } from "vitest";

const context = { cwd: "/home/ana/project", home: "/home/ana" };

function rulesOf(text: string): RuleSet {
  const parsed = parseRules(text, "default.rules");
  if (parsed.type === "rules.refused") throw new Error(parsed.errors[0]?.message);
  return parsed.rules;
}

const rules = rulesOf(
  [
    'prefix_rule(pattern=["npm", "test"])',
    'prefix_rule(pattern=["git", "push"], decision="forbidden", justification="Open a pull request instead.")',
  ].join("\n"),
);

describe("a verdict", () => {
  test("lists every simple command with what decided on it, and proposes a rule for the first that has none", () => {
    const script = "npm test -- --ci && make docs | tee 'the log' && rm -rf build";
    expect(judgeCommand({ script, shell: "bash" }, rules, context)).toEqual({
      decision: "prompt",
      source: { type: "command.unlisted", detail: "is covered by no rule and not known to only read" },
      reason: "Not known to be harmless: `make docs` is covered by no rule and not known to only read.",
      proposedPrefix: ["make", "docs"],
      proposedEnv: [],
      environment: {},
      commands: [
        {
          argv: ["npm", "test", "--", "--ci"],
          text: "npm test -- --ci",
          decision: "allow",
          source: {
            type: "rule.matched",
            match: {
              rule: rules.prefixRules[0],
              matchedPrefix: ["npm", "test"],
              certain: true,
              resolvedProgram: null,
            },
          },
          opensFile: false,
          proposedPrefix: null,
          proposedEnv: [],
        },
        {
          argv: ["make", "docs"],
          text: "make docs",
          decision: "prompt",
          source: { type: "command.unlisted", detail: "is covered by no rule and not known to only read" },
          opensFile: false,
          proposedPrefix: ["make", "docs"],
          proposedEnv: [],
        },
        {
          argv: ["tee", "the log"],
          text: "tee 'the log'",
          decision: "prompt",
          source: { type: "command.unlisted", detail: "is covered by no rule and not known to only read" },
          opensFile: false,
          proposedPrefix: ["tee", "the log"],
          proposedEnv: [],
        },
        {
          argv: ["rm", "-rf", "build"],
          text: "rm -rf build",
          decision: "prompt",
          source: { type: "command.unlisted", detail: "is covered by no rule and not known to only read" },
          opensFile: false,
          proposedPrefix: ["rm", "-rf", "build"],
          proposedEnv: [],
        },
      ],
    });
  });

  test.each([
    ["git push origin main", "The rule default.rules:2 forbids `git push origin main`: Open a pull request instead."],
    ["npm test", "The rule default.rules:1 allows `npm test`."],
    [
      "git $action",
      "The rule default.rules:2 forbids what `git $action` may turn out to run: Open a pull request instead.",
    ],
    ["rm -rf ~", "Dangerous: `rm -rf ~` deletes ~ (known only when it runs) with everything in it."],
    ["cat a > b", "Not known to be harmless: `cat a` writes to b."],
    [
      "MAKEFILES=x npm test",
      "Not known to be harmless: `npm test` gets MAKEFILES, which the rule default.rules:1 does not allow.",
    ],
    [
      "cd /tmp/x && npm test",
      "Not known to be harmless: `npm test` may run in /tmp/x, which the rule default.rules:1 does not allow.",
    ],
    [
      "env -i npm test",
      "Not known to be harmless: `npm test` runs without some of its environment, which the rule default.rules:1 does not allow.",
    ],
    ["PATH=/tmp cat a", "Not known to be harmless: `cat a` may obey PATH, which is set for it."],
    [
      "echo $((n + 1))",
      "The rule default.rules:2 forbids what the script may turn out to run: Open a pull request instead.",
    ],
    ["ls -la", "Known to only read: `ls -la`."],
    ["", "Nothing is run."],
  ])("says what decided on %j in one sentence", (script, reason) => {
    expect(judgeCommand({ script, shell: "bash" }, rules, context).reason).toBe(reason);
  });

  test("says what is not known where no rule could stop it", () => {
    const { reason } = judgeCommand({ script: "echo $((n + 1))", shell: "bash" }, mergeRules([]), context);
    expect(reason).toBe("What it runs is not known: the script holds arithmetic with a variable.");
  });

  test("keeps a long command out of its sentence", () => {
    const { reason } = judgeCommand({ argv: ["make", "x".repeat(10_000)] }, rules, context);
    expect(reason.length).toBeLessThan(250);
  });

  test("proposes nothing where a rule would not end the question", () => {
    const scripts = [
      "make > log",
      "rm -rf /",
      "git $x",
      "make && $tool",
      "ls; make | bash",
      "PATH=x make all",
      "python3 -c x",
    ];
    const proposals = scripts.map((script) => judgeCommand({ script, shell: "bash" }, rules, context).proposedPrefix);
    expect(proposals).toEqual(scripts.map(() => null));
  });

  test.each([
    ["A_URL=x make all", ["make", "all"], ["A_URL"]],
    ["env A_URL=x B_KEY=y bash -c 'make all'", ["make", "all"], ["A_URL", "B_KEY"]],
    ["export A_URL=x; A_URL=y make all", ["make", "all"], ["A_URL"]],
    ["CI=1 A_URL=x make all", ["make", "all"], ["A_URL"]],
    ["A_URL=x npm test -- -u", ["npm", "test"], ["A_URL"]],
    ["LD_PRELOAD=x make all", null, []],
    ["OPENSSL_CONF=x npm test", null, []],
    ["cd /tmp && A_URL=x make all", null, []],
    ["env -i A_URL=x make all", null, []],
  ])("proposes the rule for %j with its variables, and none that may name code", (script, prefix, env) => {
    const { proposedPrefix, proposedEnv } = judgeCommand({ script, shell: "bash" }, rules, context);
    expect({ proposedPrefix, proposedEnv }).toEqual({ proposedPrefix: prefix, proposedEnv: env });
  });

  test("proposes the words in front of those that are only known when the command runs", () => {
    const script = "git commit -m \"$(cat <<'EOF'\nFix it\nEOF\n)\"";
    expect(judgeCommand({ script, shell: "bash" }, rules, context).proposedPrefix).toEqual(["git", "commit"]);
  });

  test("looks through wrappers for what to propose", () => {
    const verdict = judgeCommand({ argv: ["timeout", "60", "bash", "-lc", "npm run lint"] }, rules, context);
    expect(verdict.proposedPrefix).toEqual(["npm", "run", "lint"]);
  });
});

test("a script of any size or depth is judged without an exception", () => {
  const scripts = [
    "(".repeat(20_000),
    "$(".repeat(20_000),
    "`".repeat(20_001),
    `bash -c '`.repeat(200),
    "ls; ".repeat(10_000),
    `ls${" | ls".repeat(10_000)}`,
    `ls ${"$(ls) ".repeat(5_000)}`,
    "<<E ".repeat(2_000),
    "x".repeat(1_000_000),
    `${"env ".repeat(5000)}ls`,
    `${"eval ".repeat(100)}ls`,
    "\uD800 \0",
    `tool${" x".repeat(15_000)}`,
    `tool '${"x ".repeat(15_000)}'`,
    `ssh${" 'tool x'".repeat(4000)}`,
    "cd a; ".repeat(10_000),
    `${"strace ".repeat(40)}x`,
    `ssh '${"watch ".repeat(40)}x'`,
    `FOO='${"git x ".repeat(3000)}' tool`,
    `tool '${"(a;".repeat(30_000)}'`,
    `tool ${"bash ".repeat(2000)}`,
  ];
  for (const script of scripts) {
    for (const known of [mergeRules([]), rules]) {
      expect(["allow", "prompt"]).toContain(judgeCommand({ script, shell: "bash" }, known, context).decision);
    }
  }
});

test("what is nested deeper than anyone would is not allowed", () => {
  const argv = Array.from({ length: 20 }, () => "nohup").concat("ls");
  expect(judgeCommand({ argv }, mergeRules([]), context).decision).toBe("prompt");
});

test("of several rules files the strictest rule wins, whatever their order", () => {
  const allow = rulesOf('prefix_rule(pattern=["git"])');
  const orders = [
    [allow, rules],
    [rules, allow],
  ] as const;
  const decisions = orders.map((order) => judgeCommand({ argv: ["git", "push"] }, mergeRules(order), context).decision);
  expect(decisions).toEqual(["forbidden", "forbidden"]);
});

describe("text that is typed", () => {
  const judge = (text: string, isTyped: boolean) =>
    judgeCommand({ argv: ["bash", "-c", text] }, rules, { ...context, isTyped });

  test.for([
    ["git pu\u007Fsh\n", "keys that edit, complete or recall the line"],
    ["git p\t\n", "keys that edit, complete or recall the line"],
    ["\u001B[A\n", "keys that edit, complete or recall the line"],
    ["!!\n", "`!` or `^`, which recall earlier lines"],
    ["^pull^push\n", "`!` or `^`, which recall earlier lines"],
    ["fc -s\n", "`fc`, after which a line may run something else than it says"],
    ["builtin alias ls='git push'\n", "`alias`, after which a line may run something else than it says"],
    ["/bin/stty intr undef\n", "`stty`, after which a line may run something else than it says"],
    ["histchars=%\n", "`histchars`, after which a line may run something else than it says"],
    ["PROMPT_COMMAND='git push'\n", "`PROMPT_COMMAND`, after which a line may run something else than it says"],
    ["BASH_ALIASES[ls]='git push'\n", "`BASH_ALIASES`, after which a line may run something else than it says"],
    ["aliases[ls]='git push'\n", "`aliases`, after which a line may run something else than it says"],
  ] as const)("cannot be read where it holds %j", ([text, detail]) => {
    const verdict = judge(text, true);
    expect(verdict.source).toEqual({ type: "rule.suspected", rule: rules.prefixRules[1] });
    expect(verdict.commands.map(({ source }) => source)).toContainEqual({ type: "script.unread", detail });
  });

  test("is read up to each key: it may be sent there", () => {
    expect(judge("git push\u0004", true).source).toMatchObject({ type: "rule.matched" });
  });

  test.for(["ls\n", "test 1 != 2\n", "! ls\n", "echo hi!\n", "ls ^a\n"])("is read where it is plain: %j", (text) => {
    expect(judge(text, true)).toEqual(judge(text, false));
  });
});
