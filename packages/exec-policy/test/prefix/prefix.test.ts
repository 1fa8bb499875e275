import {
  appendRule,
  describePrefix,
  judgeCommand,
  mergeRules,
  parseRules,
  renderPrefixRule,
} from "@unroll/exec-policy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function proposePrefix(argv: readonly string[]): readonly string[] | null {
  return judgeCommand({ argv }, mergeRules([]), { cwd: "/w", home: "/home/ana" }).proposedPrefix;
}

describe("the prefix that is proposed", () => {
  test.each([
    ["npm run build -- --watch", "npm run build"],
    ["npm test", "npm test"],
    ["pnpm vitest run a", "pnpm vitest"],
    ["git commit -m x", "git commit"],
    ["gh pr view 12", "gh pr view"],
    ["docker compose up -d", "docker compose up"],
    ["cargo build --release", "cargo build"],
    ["python3 scripts/x.py --y", "python3 scripts/x.py"],
    ["python -m pytest -q", "python -m pytest"],
    ["node build.mjs", "node build.mjs"],
    ["bash scripts/ci.sh all", "bash scripts/ci.sh"],
    ["npx prettier --write a", "npx prettier"],
    ["uv run pytest", "uv run pytest"],
    ["tsc", "tsc"],
    ["tsc -b packages/x", "tsc -b packages/x"],
    ["./gradlew test", "./gradlew test"],
    ["./run.sh a", "./run.sh a"],
    ["/usr/bin/git fetch", "/usr/bin/git fetch"],
    ["git -C x fetch", "git -C x fetch"],
    ["git log --output=x", "git log --output=x"],
    ["curl https://a.b/c", "curl https://a.b/c"],
    ["rm -f a", "rm -f a"],
  ])("for %j is %j", (command, prefix) => {
    expect(proposePrefix(command.split(" "))).toEqual(prefix.split(" "));
  });

  test.each([
    "",
    "git",
    "npm",
    "bash",
    "python3",
    "python3 -c x",
    "node -e x",
    "perl -pe x y",
    "awk",
    "docker compose",
    "npm run",
    "sudo",
    "env",
    "xargs",
    "make",
    "rm",
    "ssh",
    "eval",
  ])("for %j is none", (command) => {
    expect(proposePrefix(command.split(" ").filter((word) => word !== ""))).toBeNull();
  });

  test("is none for what nobody would read", () => {
    expect(proposePrefix(["tool", "x".repeat(500)])).toBeNull();
    expect(proposePrefix(["tool", "a\nb"])).toBeNull();
  });
});

describe("the description of a prefix", () => {
  test.each([
    [
      ["npm", "run", "build"],
      "It runs whatever the project's own files hold at that time, also what the model wrote there.",
    ],
    [["cargo", "test"], "It runs whatever the project's own files hold at that time, also what the model wrote there."],
    [["docker", "compose", "up"], "A container can be given every file of this machine."],
    [["python3", "a.py"], "It runs whatever a.py holds at that time."],
    [["python3", "-m", "pytest"], "It runs whatever that module does with its arguments."],
    [["pip", "install"], "Packages may run code when they are installed."],
  ])("of %j says what it stands for", (prefix, note) => {
    expect(describePrefix(prefix)).toEqual({
      allows: `Every command that starts with \`${prefix.join(" ")}\` will run without a question and outside the sandbox, whatever follows. ${note}`,
      warning: null,
    });
  });

  test("says which variables may have any value", () => {
    expect(describePrefix(["tsc"], ["A_URL", "B"]).allows).toBe(
      "Every command that starts with `tsc`, with any value of A_URL, B, will run without a question and outside the sandbox, whatever follows.",
    );
  });

  test.each([
    [[], "It is every command there is."],
    [["git"], "`git` alone can do nearly anything."],
    [["bash"], "`bash` alone can do nearly anything."],
    [["python3", "-c"], "`python3 -c` runs any code that it is given."],
    [["npm", "run"], "`npm run` runs any script or tool."],
    [["make"], "`make` alone can do nearly anything."],
    [["cargo"], "`cargo` alone can do nearly anything."],
    [["docker"], "`docker` alone can do nearly anything."],
    [["git", "-c"], "`git -c` runs any code that this option names."],
    [["git", "-c", "core.pager=x", "log"], "`git -c` runs any code that this option names."],
    [["git", "--exec-path=x", "log"], "`git --exec-path=x` runs any code that this option names."],
    [["make", "-f", "x"], "`make -f` runs any code that this option names."],
  ])("of %j warns that it is too wide", (prefix, warning) => {
    expect(describePrefix(prefix).warning).toBe(warning);
  });

  test("finds nothing too wide in what is proposed", () => {
    const words = fc.constantFrom(
      "git",
      "npm",
      "run",
      "python3",
      "-c",
      "-m",
      "bash",
      "x",
      "exec",
      "docker",
      "compose",
      "gh",
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), (argv) => {
        const prefix = proposePrefix(argv);
        expect(prefix === null ? null : describePrefix(prefix).warning).toBeNull();
      }),
    );
  });
});

describe("the rule for a prefix", () => {
  test("reads back as that prefix, whatever its words hold", () => {
    const words = fc.array(
      fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== ""),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(words, (prefix) => {
        const parsed = parseRules(renderPrefixRule(prefix), "f");
        const rules = parsed.type === "rules.parsed" ? parsed.rules.prefixRules : [];
        expect(rules.map((rule) => [rule.decision, rule.pattern])).toEqual([["allow", prefix.map((word) => [word])]]);
      }),
    );
  });

  test("names its variables, which read back as they were", () => {
    const rule = renderPrefixRule(["npm", "test"], ["DATABASE_URL", "B"]);
    expect(rule).toBe('prefix_rule(pattern=["npm", "test"], decision="allow", env=["DATABASE_URL", "B"])');
    const parsed = parseRules(rule, "f");
    expect(parsed).toMatchObject({ rules: { prefixRules: [{ env: ["DATABASE_URL", "B"] }] } });
  });

  test("ends the question about a command with variables that it was proposed for", () => {
    const command = { script: "export A_URL=x; B_KEY=1 npm run lint -- --fix", shell: "bash" } as const;
    const context = { cwd: "/work", home: null };
    const { proposedPrefix, proposedEnv } = judgeCommand(command, mergeRules([]), context);
    const parsed = parseRules(renderPrefixRule(proposedPrefix ?? [], proposedEnv), "f");
    expect(parsed.type === "rules.parsed" && judgeCommand(command, parsed.rules, context).decision).toBe("allow");
  });

  test("ends the question that it was proposed for", () => {
    const argv = ["npm", "run", "lint", "--", "--fix"];
    const context = { cwd: "/work", home: null };
    const none = judgeCommand({ argv }, { prefixRules: [], networkRules: [], hostExecutables: [] }, context);
    const parsed = parseRules(renderPrefixRule(none.proposedPrefix ?? []), "f");
    expect(parsed.type === "rules.parsed" && judgeCommand({ argv }, parsed.rules, context).decision).toBe("allow");
  });
});

describe("a rule is appended", () => {
  const rule = 'prefix_rule(pattern=["a"], decision="allow")';

  test.each([
    ["", `${rule}\n`],
    ["# mine\n", `# mine\n${rule}\n`],
    ["# no end", `# no end\n${rule}\n`],
    ["# dos\r\nX = 1", `# dos\r\nX = 1\r\n${rule}\r\n`],
    [`${rule}\n# after\n`, `${rule}\n# after\n`],
  ])("to %j with every byte of it kept", (text, expected) => {
    expect(appendRule(text, rule)).toBe(expected);
  });

  test("after any text, which stays its start", () => {
    fc.assert(fc.property(fc.string(), (text) => appendRule(text, rule).startsWith(text)));
  });
});
