import { evaluateApproval } from "@unroll/approval/command";
import { judgeCommand, mergeRules, parseRules } from "@unroll/exec-policy";
import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import { describe, expect, test } from "vitest";

const parsed = parseRules(
  [
    'prefix_rule(pattern=["gh", "pr"])',
    'prefix_rule(pattern=["git", "push"], decision="prompt", justification="It reaches the remote.")',
    'prefix_rule(pattern=["terraform"], decision="forbidden", justification="Use tofu.")',
    'prefix_rule(pattern=["git", "reset", "--hard"])',
    'network_rule(host="shut.example", protocol="https", decision="forbidden")',
    'network_rule(host="ask.example", protocol="https", decision="prompt")',
  ].join("\n"),
  "team.rules",
);
if (parsed.type === "rules.refused") throw new Error("the rules of this test are wrong");
const { rules } = parsed;

/** One command for each way that a command can stand. */
type ApprovalQuestion = Parameters<typeof evaluateApproval>[0];
type SandboxPermissions = ApprovalQuestion["sandboxPermissions"];

const commands = {
  forbidden: "terraform apply",
  prompted: "git push",
  suspected: "git $x",
  hostForbidden: "curl https://shut.example",
  hostPrompted: "curl https://ask.example",
  dangerous: "git reset --hard HEAD~1",
  consented: "git reset --hard",
  unread: "ls (x",
  unknown: "make all",
  read: "ls -la",
  allowed: "gh pr list",
  filtered: "cd sub && gh pr list 2>&1 | grep -v draft | head -5",
  mixed: "gh pr list && cat notes",
} as const;

type Case = keyof typeof commands;

function evaluate(name: Case, settings: Partial<Omit<ApprovalQuestion, "verdict">>) {
  return evaluateApproval({
    verdict: judgeCommand(
      { script: commands[name], shell: "bash" },
      name === "unread" ? { ...rules, prefixRules: [] } : rules,
      {
        cwd: "/home/ana/project",
        home: "/home/ana",
      },
    ),
    approvalPolicy: "on-request",
    sandboxMode: "workspace-write",
    sandboxPermissions: "use_default",
    justification: null,
    ...settings,
  });
}

function summarise(name: Case, settings: Partial<Omit<ApprovalQuestion, "verdict">>): string {
  const outcome = evaluate(name, settings);
  return outcome.type === "decline" ? "decline" : `${outcome.type} ${outcome.confinement}`;
}

function row(
  approvalPolicy: ApprovalPolicy,
  sandboxMode: SandboxMode,
  sandboxPermissions: SandboxPermissions,
): Record<Case, string> {
  const entries = Object.keys(commands).map((name) => [
    name,
    summarise(name as Case, { approvalPolicy, sandboxMode, sandboxPermissions }),
  ]);
  return Object.fromEntries(entries) as Record<Case, string>;
}

const fixed = {
  forbidden: "decline",
  prompted: "ask none",
  suspected: "ask policy",
  hostForbidden: "decline",
  hostPrompted: "ask policy",
  dangerous: "ask policy",
  consented: "ask none",
  allowed: "run none",
  filtered: "run none",
};
const untrusted = { ...fixed, unread: "ask policy", unknown: "ask policy", read: "run policy", mixed: "run policy" };
const asking = { ...untrusted, unread: "run policy", unknown: "run policy" };
const escalated = {
  ...fixed,
  suspected: "ask none",
  hostPrompted: "ask none",
  dangerous: "ask none",
  unread: "ask none",
  unknown: "ask none",
  read: "ask none",
  mixed: "ask none",
};
const declined = {
  forbidden: "decline",
  prompted: "decline",
  suspected: "decline",
  hostForbidden: "decline",
  hostPrompted: "decline",
  dangerous: "decline",
};
const never = {
  ...declined,
  consented: "run none",
  unread: "run policy",
  unknown: "run policy",
  read: "run policy",
  allowed: "run none",
  filtered: "run none",
  mixed: "run policy",
};
const neverEscalated = { ...never, unread: "decline", unknown: "decline", read: "decline", mixed: "decline" };

const sandboxed: readonly SandboxMode[] = ["read-only", "workspace-write"];

describe("the approval table", () => {
  test.each(
    sandboxed.flatMap((mode) => [
      { policy: "untrusted", mode, inside: untrusted, outside: escalated } as const,
      { policy: "on-failure", mode, inside: asking, outside: escalated } as const,
      { policy: "on-request", mode, inside: asking, outside: escalated } as const,
      { policy: "never", mode, inside: never, outside: neverEscalated } as const,
    ]),
  )("$policy in $mode", ({ policy, mode, inside, outside }) => {
    expect(row(policy, mode, "use_default")).toEqual(inside);
    expect(row(policy, mode, "require_escalated")).toEqual(outside);
  });

  test.each([
    ["untrusted", untrusted],
    ["on-failure", asking],
    ["on-request", asking],
    ["never", never],
  ] as const)("%s without a sandbox: a wish to leave it means nothing", (policy, expected) => {
    expect(row(policy, "danger-full-access", "use_default")).toEqual(expected);
    expect(row(policy, "danger-full-access", "require_escalated")).toEqual(expected);
  });
});

describe("a question", () => {
  test("names the mode that asks and offers a rule with what else it allows", () => {
    expect(evaluate("unknown", { approvalPolicy: "untrusted" })).toEqual({
      type: "ask",
      askedBy: "approval policy untrusted",
      reason:
        "Not known to be harmless: `make all` is covered by no rule and not known to only read. " +
        "The approval policy untrusted asks about every command that is not known to only read.",
      confinement: "policy",
      proposedPrefix: ["make", "all"],
      proposedEnv: [],
      alsoAllows:
        "Every command that starts with `make all` will run without a question and outside the sandbox, whatever " +
        "follows. It runs whatever the project's own files hold at that time, also what the model wrote there.",
    });
  });

  test("names the rule that asks, and offers none where a rule would not end it", () => {
    expect(evaluate("prompted", {})).toEqual({
      type: "ask",
      askedBy: "rule team.rules:2",
      reason: "The rule team.rules:2 asks about `git push`: It reaches the remote.",
      confinement: "none",
      proposedPrefix: null,
      proposedEnv: [],
      alsoAllows: null,
    });
  });

  test("names the danger", () => {
    expect(evaluate("dangerous", {})).toMatchObject({
      askedBy: "the check for dangerous commands (git-reset)",
      proposedPrefix: null,
    });
  });

  test("says that the model wants out of the sandbox, and leaves its own words to the question", () => {
    const wish = { sandboxPermissions: "require_escalated", justification: "It needs the network." } as const;
    expect(evaluate("unknown", wish)).toMatchObject({
      askedBy: "the model's request",
      reason: expect.stringMatching(/\. The model asks to run it outside the sandbox\.$/),
      proposedPrefix: ["make", "all"],
    });
    expect(evaluate("unknown", { ...wish, justification: null })).toMatchObject({
      reason: expect.stringMatching(/\. The model asks to run it outside the sandbox, and gives no reason\.$/),
    });
  });
});

describe("a refusal tells the model", () => {
  test("which rule forbids it and what to do instead", () => {
    expect(evaluate("forbidden", {})).toEqual({
      type: "decline",
      message:
        "Not run: forbidden by policy. The rule team.rules:3 forbids `terraform apply`: Use tofu. " +
        "Do not try to reach the same in another way; say what is blocked.",
    });
  });

  test("that nobody can be asked, and how to continue", () => {
    expect(evaluate("prompted", { approvalPolicy: "never" })).toEqual({
      type: "decline",
      message:
        "Not run: nobody can be asked (approval policy never). The rule team.rules:2 asks about " +
        "`git push`: It reaches the remote. Go on without it or with a harmless command, and say what was left out.",
    });
    expect(evaluate("unknown", { approvalPolicy: "never", sandboxPermissions: "require_escalated" })).toEqual({
      type: "decline",
      message:
        "Not run: nobody can be asked (approval policy never), so no command leaves the sandbox. " +
        "Run it without require_escalated, or say what could not be done.",
    });
  });
});

function placeOf(script: string): string {
  const outcome = evaluateApproval({
    verdict: judgeCommand({ script, shell: "bash" }, rules, { cwd: "/home/ana/project", home: "/home/ana" }),
    approvalPolicy: "on-request",
    sandboxMode: "workspace-write",
    sandboxPermissions: "use_default",
    justification: null,
  });
  return outcome.type === "decline" ? "decline" : `${outcome.type} ${outcome.confinement}`;
}

describe("a line with an allowed command", () => {
  test.each([
    "gh pr list; cat S",
    'echo "$(< S)"; gh pr list',
    "echo $(<S); gh pr list",
    "printf '%s' \"$(<S)\"; gh pr list",
    "f=$(<S); echo $f; gh pr list",
    'for f in "$(<S)"; do echo $f; gh pr list; done',
    'case "$(<S)" in *) gh pr list;; esac',
    '[[ "$(<S)" ]] && gh pr list',
    "gh pr list; cat 0< S",
    "gh pr list; cat 3< S <&3",
    "gh pr list; head -5 < S",
    "gh pr list | cat < S",
    "gh pr list | tr a b < S",
    "{ gh pr list; cat; } < S",
    "bash -c 'gh pr list; cat' < S",
    "while gh pr list; do cat; done < S",
    "gh pr list | wc --files0-from=S",
    "gh pr list | sort --files0-from=S",
    "gh pr list | head -n 5 S",
    "gh pr list | cat 5",
    "gh pr list | grep 5 S",
    "gh pr list | cat -n 5",
    "gh pr list | tail --lines 5",
    "gh pr list; echo folder/*",
  ])("stays in the sandbox where another part opens a file: %s", (script) => {
    expect(placeOf(script)).toBe("run policy");
  });

  test.each([
    "gh pr list",
    "gh pr list < S",
    "gh pr list < /dev/null",
    "gh pr list; echo $?",
    "cd sub && gh pr list | grep -v draft | head -n 5 | cut -d, -f1-3 | sort -k2 | uniq -c",
    "gh pr list | wc -l | tr -d ' '",
    "gh pr list | head --lines=5 | nl -w 3 | cat -",
    'for f in 1 2; do echo "$f" "${f%.*}"; gh pr list; done',
    "gh pr list <<'E'\nx\nE",
  ])("leaves the sandbox where no other part opens one: %s", (script) => {
    expect(placeOf(script)).toBe("run none");
  });
});

test("the variables go with what runs because it only reads, and with nothing else", () => {
  const verdict = judgeCommand({ argv: ["git", "log"] }, mergeRules([]), { cwd: "/w", home: null, git: null });
  const { environment } = verdict;
  const outcomes = (["untrusted", "on-request"] as const).map((approvalPolicy) =>
    evaluateApproval({
      verdict,
      approvalPolicy,
      sandboxMode: "workspace-write",
      sandboxPermissions: "use_default",
      justification: null,
    }),
  );
  expect(environment).toMatchObject({ GIT_PAGER: "cat", GIT_CONFIG_KEY_0: "safe.bareRepository" });
  expect(outcomes).toEqual([
    { type: "run", confinement: "policy", environment },
    { type: "run", confinement: "policy", environment: {} },
  ]);
});
