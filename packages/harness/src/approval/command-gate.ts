import { type ApprovalOutcome, evaluateApproval, judgeCommand } from "@unroll/exec-policy";
import type { ApprovalPolicy, CommandQuestion, SandboxMode } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";
import type { CommandGate, CommandRequest, CommandVerdict } from "@unroll/tools";
import type { ApprovalPort } from "./approval-port.ts";
import { explainDenial } from "./explain-denial.ts";
import { isReadOnlyCommand } from "./is-read-only-command.ts";
import { refuseUnattended, toUnattended } from "./unattended.ts";
import type { RuleBook } from "./rule-book.ts";

export interface CommandGateOptions {
  readonly book: RuleBook;
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandboxMode: SandboxMode;
  /** Null: there is nobody to ask. */
  readonly approvals: ApprovalPort | null;
  /** Absolute; null where it is not known. */
  readonly homeDirectory: string | null;
}

/**
 * Judges each command by the rules, asks a person where policy says so, and keeps what was approved for the session. Where
 * nobody can be asked, what would ask is declined.
 */
export function createCommandGate(options: CommandGateOptions): CommandGate {
  const { book, approvals } = options;
  const approvalPolicy = approvals === null ? toUnattended(options.approvalPolicy) : options.approvalPolicy;
  const approvedInSession = new Set<string>();

  function evaluate(request: CommandRequest): ApprovalOutcome {
    const context = { cwd: request.cwd, home: options.homeDirectory };
    return evaluateApproval({
      // The arguments say which shell reads the script, so they are judged, not the script by itself.
      verdict: judgeCommand({ argv: request.argv }, book.rules, context),
      approvalPolicy,
      sandboxMode: options.sandboxMode,
      sandboxPermissions: request.sandboxPermissions,
      justification: request.justification ?? null,
    });
  }

  async function judge(request: CommandRequest, signal: AbortSignal): Promise<CommandVerdict> {
    const outcome = evaluate(request);
    if (outcome.type === "run") return confineReads(request, outcome);
    if (outcome.type === "decline" || approvals === null) {
      return {
        type: "declined",
        message: outcome.type === "decline" ? outcome.message : refuseUnattended(outcome.reason),
      };
    }
    const key = JSON.stringify([request.argv, request.cwd, outcome.confinement]);
    const run: CommandVerdict = { type: "run", confinement: outcome.confinement };
    if (approvedInSession.has(key)) return run;
    const decision = await approvals.decide(toApprovalRequest(request, outcome), signal);
    if (decision.type === "denied") return { type: "declined", message: explainDenial(decision.reason) };
    if (decision.type === "approved.thread") approvedInSession.add(key);
    if (decision.type === "approved.always") await book.allowPrefix(decision.prefix);
    return run;
  }

  return {
    judge,
    async reconsider(request, { reason }, signal) {
      if (approvalPolicy !== "on-failure") return null;
      return judge(
        { ...request, sandboxPermissions: "require_escalated", justification: request.justification ?? reason },
        signal,
      );
    },
  };
}

function toApprovalRequest(
  request: CommandRequest,
  outcome: Extract<ApprovalOutcome, { type: "ask" }>,
): CommandQuestion {
  return {
    type: "command.approval",
    threadId: "",
    itemId: null,
    command: request.shellScript ?? quoteArgv(request.argv),
    cwd: request.cwd,
    askedBy: outcome.askedBy,
    reason: outcome.reason,
    justification: request.justification ?? null,
    isUnconfined: outcome.confinement === "none",
    proposedPrefix: outcome.proposedPrefix,
    alsoAllows: outcome.alsoAllows,
  };
}

/** A rule lets a command out of the sandbox; one that only reads needs no way out, and outside it could read what is denied. */
function confineReads(request: CommandRequest, verdict: Extract<CommandVerdict, { type: "run" }>): CommandVerdict {
  return verdict.confinement === "none" && isReadOnlyCommand(request) ? { ...verdict, confinement: "policy" } : verdict;
}
