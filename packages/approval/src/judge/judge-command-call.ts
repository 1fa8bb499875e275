import { type GitSettings, judgeCommand, mergeRules, type RuleSet } from "@unroll/exec-policy";
import type { ApprovalPolicy, CommandQuestion, SandboxMode } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";
import type { CommandLine, CommandRequest, GatedCommand, RunVerdict } from "@unroll/tools";
import { type ApprovalOutcome, evaluateApproval } from "../evaluate/evaluate-approval.ts";
import type { Judgement, JudgePlace } from "./judgement.ts";
import { policyTraits } from "../policy/policy-traits.ts";

export interface CommandRules {
  /** Null: there are none. */
  readonly rules: RuleSet | null;
  /** As it is without anybody else to ask. */
  readonly approvalPolicy: ApprovalPolicy;
  /** The same for what a rule prompts for. */
  readonly rulesPolicy: ApprovalPolicy;
  /** Whether a person is asked what a rule prompts for; if not, it is declined. */
  readonly asksOfRules: boolean;
  readonly sandboxMode: SandboxMode;
  /** Absolute; null where it is not known. */
  readonly homeDirectory: string | null;
  /** The git settings of the repository that the command runs in; null if they are unknown. */
  readonly git: GitSettings | null;
  /** Whether a program of the workspace may stand for the name of one. */
  readonly isShadowed: (name: string) => boolean;
  /** As of `JudgeContext`. */
  readonly isRuleFolder: (folder: string, usesGit: boolean) => boolean;
}

type Asking = Extract<ApprovalOutcome, { readonly type: "ask" }>;

/** Judges a command by the rules and the policy; one that the sandbox stopped, by whether to ask about a run outside. */
export function judgeCommandCall(call: GatedCommand, rules: CommandRules, place: JudgePlace): Judgement {
  const { request, denial } = call;
  if (denial === null) return judgeRequest(call, rules, place);
  if (!policyTraits[rules.approvalPolicy].asksAgain) return { type: "declined", message: "" };
  const outside = { ...request, sandboxPermissions: "require_escalated" } as const;
  const judgement = judgeRequest({ ...call, request: outside }, rules, place);
  if (judgement.type !== "ask") return judgement;
  const reason = `The sandbox stopped it: ${denial.reason} The approval policy on-failure asks whether to run it again outside.`;
  return { ...judgement, question: { ...judgement.question, askedBy: "approval policy on-failure", reason } };
}

function judgeRequest({ request, typedAt }: GatedCommand, rules: CommandRules, place: JudgePlace): Judgement {
  const isTyped = typedAt !== null;
  // The arguments say which shell reads the script, so they are judged, not the script by itself.
  const verdict = judgeCommand({ argv: request.argv }, rules.rules ?? noRules, {
    cwd: request.cwd,
    home: rules.homeDirectory,
    git: rules.git,
    isShadowed: rules.isShadowed,
    isRuleFolder: rules.isRuleFolder,
    isTyped,
  });
  const isOfRules = ofRules.has(verdict.source.type);
  const outcome = evaluateApproval({
    verdict,
    approvalPolicy: isOfRules ? rules.rulesPolicy : rules.approvalPolicy,
    sandboxMode: rules.sandboxMode,
    sandboxPermissions: request.sandboxPermissions,
    justification: request.justification ?? null,
  });
  if (outcome.type === "decline") return { type: "declined", message: outcome.message };
  if (outcome.type === "run") return confineReads(request, outcome);
  if (!rules.asksOfRules && isOfRules) {
    return {
      type: "declined",
      message: `Not run: ${outcome.reason} The approval policy refuses what a rule asks about.`,
    };
  }
  const question = toQuestion(request, outcome, place);
  if (/[^\P{Cc}\n\t]/u.test(question.command)) return { type: "declined", message: hiddenText };
  const { confinement } = outcome;
  // `!!` may be another line the next time
  const isUnread = verdict.commands.some(({ source }) => source.type === "script.unread");
  // a `y` answers another question at another command
  const subject = isTyped
    ? ["typed", request.argv, typedAt, confinement]
    : ["command", request.argv, request.cwd, confinement];
  return { type: "ask", question, verdict: { type: "run", confinement }, kept: isTyped && isUnread ? [] : [subject] };
}

/** Where a rule says `prompt`, or may. */
const ofRules: ReadonlySet<string> = new Set(["rule.matched", "rule.suspected", "network.matched"]);

/** On a screen such a character can hide what runs from the one who is asked. */
const hiddenText =
  "It would have to be approved, and nobody is asked about a command with control characters other than newline and tab. Write it without them.";

function toQuestion(request: CommandRequest, outcome: Asking, place: JudgePlace): CommandQuestion {
  return {
    type: "command.approval",
    ...place,
    command: request.shellScript ?? quoteArgv(request.argv),
    cwd: request.cwd,
    askedBy: outcome.askedBy,
    reason: outcome.reason,
    justification: request.justification ?? null,
    isUnconfined: outcome.confinement === "none",
    proposedPrefix: outcome.proposedPrefix,
    proposedEnv: outcome.proposedEnv,
    alsoAllows: outcome.alsoAllows,
  };
}

/** A rule lets a command out of the sandbox; one that only reads needs no way out, and outside it could read what is denied. */
function confineReads(request: CommandRequest, verdict: RunVerdict): RunVerdict {
  return verdict.confinement === "none" && isReadOnlyCommand(request) ? { ...verdict, confinement: "policy" } : verdict;
}

const noRules: RuleSet = mergeRules([]);

/** Filters and diff drivers of a repository do not keep `git status` from running beside others. */
const context = { cwd: "/", home: null, git: { runsPrograms: false, hasSubmodules: false } };

/** Whether all that a command line runs is known to only read: such calls may run side by side. */
export function isReadOnlyCommand({ argv }: CommandLine): boolean {
  return judgeCommand({ argv }, noRules, context).source.type === "read.recognised";
}
