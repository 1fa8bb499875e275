import { type Decision, judgeCommand, mergeRules, parseRules, type RuleSet, type Verdict } from "@unroll/exec-policy";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";

const context = { cwd: "/home/ana/project", home: "/home/ana" };
const severity: Record<Decision, number> = { allow: 0, prompt: 1, forbidden: 2 };

/** Scripts from the pieces that scripts are made of, right and wrong ones. */
const scripts = fc
  .array(
    fc.constantFrom(
      ...(
        "git push npm test ls cat -rf / x y $v \"$v\" 'a b' ~ * ( ) { } ; && || | & > >> < 2>&1 if then fi for in do done " +
        "while case esac ;; f() $(git `ls` <(ls) # \\ x=1 ! time [[ ]] (( )) $((x)) bash -c eval env sudo xargs"
      ).split(" "),
      "\n",
      "<<E\n$(git push)\nE\n",
      "'git push'",
      '"',
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(" "));

const words = fc.constantFrom("git", "push", "npm", "test", "ls", "cat", "bash", "-c", "env", "sudo", "x");
const rule = fc.record({
  pattern: fc.array(words, { minLength: 1, maxLength: 3 }),
  decision: fc.constantFrom<Decision>("allow", "prompt", "forbidden"),
});

function toRules(entries: readonly { readonly pattern: readonly string[]; readonly decision: Decision }[]): RuleSet {
  const text = entries.map(
    (entry) => `prefix_rule(pattern=${JSON.stringify(entry.pattern)}, decision="${entry.decision}")`,
  );
  const parsed = parseRules(text.join("\n"), "property.rules");
  return parsed.type === "rules.parsed" ? parsed.rules : mergeRules([]);
}

function judge(script: string, rules: RuleSet): Verdict {
  return judgeCommand({ script, shell: "bash" }, rules, context);
}

function onlyReads(argv: readonly string[]): boolean {
  return judgeCommand({ argv }, mergeRules([]), context).source.type === "read.recognised";
}

test("any text is judged, in any shell, without an exception", () => {
  const texts = fc.oneof(scripts, fc.string({ unit: anyCharacter }));
  fc.assert(
    fc.property(texts, fc.constantFrom("bash", "sh", "zsh"), (script, shell) => {
      expect(severity).toHaveProperty(judgeCommand({ script, shell }, mergeRules([]), context).decision);
    }),
  );
});

test("a further rule that asks or forbids never makes anything more allowed", () => {
  const strict = rule.filter((entry) => entry.decision !== "allow");
  fc.assert(
    fc.property(scripts, fc.array(rule, { maxLength: 4 }), strict, (script, entries, added) => {
      const before = severity[judge(script, toRules(entries)).decision];
      expect(severity[judge(script, toRules([...entries, added])).decision]).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: 500 },
  );
});

test("a compound is never more allowed than its strictest part", () => {
  const joints = fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " & ");
  const parts = fc.array(
    fc.tuple(words, words, words).map((part) => part.join(" ")),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(parts, joints, fc.array(rule, { maxLength: 4 }), (commands, joint, entries) => {
      const rules = toRules(entries);
      const strictest = Math.max(...commands.map((command) => severity[judge(command, rules).decision]));
      expect(severity[judge(commands.join(joint), rules).decision]).toBeGreaterThanOrEqual(strictest);
    }),
    { numRuns: 500 },
  );
});

test("a verdict is as strict as the strictest of its commands, and its reason is never empty", () => {
  fc.assert(
    fc.property(scripts, fc.array(rule, { maxLength: 4 }), (script, entries) => {
      const verdict = judge(script, toRules(entries));
      const strictest = Math.max(0, ...verdict.commands.map((command) => severity[command.decision]));
      expect(severity[verdict.decision]).toBe(strictest);
      expect(verdict.reason).not.toBe("");
    }),
  );
});

test("what the parser reports as broken is never allowed, whatever the rules allow", () => {
  const everything = toRules(
    ["git", "npm", "ls", "cat", "bash", "env", "x"].map((name) => ({ pattern: [name], decision: "allow" })),
  );
  const whole = fc.array(fc.constantFrom("ls", "git x | cat", "(ls)", "if ls; then x; fi", "f() { ls; }"), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(whole, fc.constantFrom(" (", ' "', " '", " `", " $(", " )", "\nif", "\n}", " a(b"), (parts, broken) => {
      expect(judge([...parts, `ls${broken}`].join("\n"), everything).decision).not.toBe("allow");
    }),
  );
});

test("a known safe command that is written in a script with a redirection to a file is no longer safe", () => {
  const safe = fc.array(words, { minLength: 1, maxLength: 4 }).filter(onlyReads);
  fc.assert(
    fc.property(safe, fc.constantFrom(">", ">>", "&>", ">|", "<>", "2>"), (argv, operator) => {
      expect(judge(argv.join(" "), mergeRules([])).decision).toBe("allow");
      expect(judge(`${argv.join(" ")} ${operator} file`, mergeRules([])).decision).toBe("prompt");
    }),
  );
});
