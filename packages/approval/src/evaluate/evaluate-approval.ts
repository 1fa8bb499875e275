import { type DecisionSource, describePrefix, labelRule, type PartVerdict, type Verdict } from "@unroll/exec-policy";
import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import { approvalTable, type Standing } from "../policy/policy-traits.ts";
import { isInert } from "./is-inert.ts";

/** Whether the model wants to run a command outside the sandbox. */
type SandboxPermissions = "use_default" | "require_escalated";

export interface ApprovalQuestion {
  readonly verdict: Verdict;
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandboxMode: SandboxMode;
  readonly sandboxPermissions: SandboxPermissions;
  /** Why the model wants out of the sandbox, in its own words; null where it did not say. */
  readonly justification: string | null;
}

/**
 * Whether a command runs, and where. `confinement` as in a `CommandSpec`: `policy` is the thread's sandbox. `environment`
 * must be added to the command's own, over what is there: nobody was asked because it only reads under these variables.
 * Empty where the answer depends on none.
 */
export type ApprovalOutcome =
  | {
      readonly type: "run";
      readonly confinement: "policy" | "none";
      readonly environment: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "ask";
      /** The rule, mode or finding that asks; for a label. */
      readonly askedBy: string;
      /** Whole sentences for a person. */
      readonly reason: string;
      /** Where it runs if the answer is yes. */
      readonly confinement: "policy" | "none";
      /**
       * The prefix that "always allow" would write; null if a rule would not end the question. A person may edit it.
       */
      readonly proposedPrefix: readonly string[] | null;
      /** The variables that the rule would name; empty without `proposedPrefix`. */
      readonly proposedEnv: readonly string[];
      /** Other commands that the rule would also allow; null without `proposedPrefix`. */
      readonly alsoAllows: string | null;
    }
  /** Not to be run. `message` tells the model the reason and how to continue. */
  | { readonly type: "decline"; readonly message: string };

// As a record, so that a new mode does not compile until it is added here. The list in protocol would import its
// schemas.
const modes: Readonly<Record<SandboxMode, true>> = {
  "read-only": true,
  "workspace-write": true,
  "danger-full-access": true,
};

const shape = {
  "verdict.commands": "a list",
  "verdict.source": "an object",
  approvalPolicy: Object.keys(approvalTable),
  sandboxMode: Object.keys(modes),
  sandboxPermissions: ["use_default", "require_escalated"],
} as const;

/**
 * Decides what happens to a judged command under an approval policy. Outside a sandbox already (`danger-full-access`) a
 * wish to leave it means nothing. After a denial under `on-failure`, evaluate again with `require_escalated`.
 */
export function evaluateApproval(question: ApprovalQuestion): ApprovalOutcome {
  checkShape("evaluateApproval", question, shape);
  const { verdict, approvalPolicy } = question;
  const place = findPlace(question);
  const isCovered = isCoveredByRules(verdict.commands);
  const standing = isCovered && verdict.decision === "allow" ? "allowed" : findStanding(verdict.source);
  const action = approvalTable[approvalPolicy][standing][place];
  if (action === "decline") return { type: "decline", message: explainDecline(question, standing) };
  if (action === "run") {
    // Where all would run, whether it reads or not, nothing depends on it.
    const environment = approvalTable[approvalPolicy].unknown[place] === "run" ? {} : verdict.environment;
    return { type: "run", confinement: isCovered ? "none" : "policy", environment };
  }
  return {
    type: "ask",
    askedBy: findAsker(question, standing),
    reason: explainQuestion(question, standing),
    confinement: place === "outside" || isCovered ? "none" : "policy",
    proposedPrefix: verdict.proposedPrefix,
    proposedEnv: verdict.proposedEnv,
    alsoAllows:
      verdict.proposedPrefix === null ? null : describePrefix(verdict.proposedPrefix, verdict.proposedEnv).allows,
  };
}

function findPlace(question: ApprovalQuestion): "inside" | "outside" {
  const wantsOut = question.sandboxPermissions === "require_escalated";
  return wantsOut && question.sandboxMode !== "danger-full-access" ? "outside" : "inside";
}

function findStanding(source: DecisionSource): Standing {
  switch (source.type) {
    case "rule.matched":
      return ({ allow: "allowed", prompt: "prompted", forbidden: "forbidden" } as const)[source.match.rule.decision];
    case "network.matched":
      return source.rule.decision === "forbidden" ? "forbidden" : "prompted";
    case "rule.suspected":
      return "prompted";
    case "danger.found":
      return source.consent === null ? "dangerous" : "consented";
    case "script.unread":
    case "command.unlisted":
    case "read.withheld":
      return "unknown";
    case "read.recognised":
      return "read";
  }
}

/** Rules speak of commands outside the sandbox; where they speak of all that matters, nothing is left to confine. */
function isCoveredByRules(commands: readonly PartVerdict[]): boolean {
  const significant = commands.filter((part) => part.source.type !== "read.recognised" || !isInert(part));
  const isCovered = ({ source }: PartVerdict): boolean =>
    source.type === "rule.matched" || (source.type === "danger.found" && source.consent !== null);
  return significant.length > 0 && significant.every(isCovered);
}

function findAsker(question: ApprovalQuestion, standing: Standing): string {
  const { source } = question.verdict;
  if (source.type === "rule.matched" && standing === "prompted") return labelRule(source.match.rule);
  if (source.type === "rule.suspected" || source.type === "network.matched") return labelRule(source.rule);
  if (source.type === "danger.found") return `the check for dangerous commands (${source.danger.name})`;
  return findPlace(question) === "outside" ? "the model's request" : `approval policy ${question.approvalPolicy}`;
}

function explainQuestion(question: ApprovalQuestion, standing: Standing): string {
  const { verdict, justification, approvalPolicy } = question;
  const isWary = approvalTable[approvalPolicy].unknown.inside === "ask";
  const wish = `The model asks to run it outside the sandbox${justification === null ? ", and gives no reason" : ""}.`;
  const mode = `The approval policy ${approvalPolicy} asks about every command that is not known to only read.`;
  const cause = standing === "unknown" && isWary ? [mode] : [];
  return [verdict.reason, ...cause, ...(findPlace(question) === "outside" ? [wish] : [])].join(" ");
}

function explainDecline(question: ApprovalQuestion, standing: Standing): string {
  const { reason } = question.verdict;
  if (standing === "forbidden") {
    return `Not run: forbidden by policy. ${reason} Do not try to reach the same in another way; say what is blocked.`;
  }
  if (standing === "unknown" || standing === "read") {
    return "Not run: nobody can be asked (approval policy never), so no command leaves the sandbox. Run it without require_escalated, or say what could not be done.";
  }
  return `Not run: nobody can be asked (approval policy never). ${reason} Go on without it or with a harmless command, and say what was left out.`;
}
