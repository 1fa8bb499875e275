import type { ResolvedConfig } from "@unroll/config";
import type { ApprovalPolicy, Person, Question } from "@unroll/protocol";
import { takesQuestion } from "@unroll/tools";
import { policyTraits } from "./policy-traits.ts";

/** The resolved approval policies, and who is asked. */
export interface Approvals {
  /** For commands and patches; the model gets this one. */
  readonly policy: ApprovalPolicy;
  /** For tools of MCP servers and of the program. */
  readonly toolPolicy: ApprovalPolicy;
  /** For commands that a rule prompts for. */
  readonly rulesPolicy: ApprovalPolicy;
  /** Whether a person is asked what a rule prompts for; if not, it is declined. */
  readonly asksOfRules: boolean;
  /** The same of tools of MCP servers. */
  readonly asksOfMcp: boolean;
  /** Whether a tool that may change something needs an approval if nothing else is configured for it. */
  readonly asksOfTools: boolean;
  /** Null: nobody is there. */
  readonly person: Person | null;
}

/**
 * To be resolved once, and read by all who tell or ask: the gate, and the prompt. A person who answers questions about
 * commands but not patches, or the reverse, counts as absent for both: the model gets one policy.
 */
export function resolveApprovals(
  { approvalPolicy, approvalQuestions: questions }: Pick<ResolvedConfig, "approvalPolicy" | "approvalQuestions">,
  person: Person | null,
): Approvals {
  const resolve = (policy: ApprovalPolicy, ...kinds: readonly Question["type"][]): ApprovalPolicy =>
    kinds.every((kind) => takesQuestion(person, kind)) ? policy : policyTraits[policy].unattended;
  // a granular policy speaks of tools by themselves, also where it asks nothing of commands
  const toolPolicy = resolve(questions === null ? approvalPolicy : "on-request", "tool.approval");
  const ofCommands = (policy: ApprovalPolicy): ApprovalPolicy => resolve(policy, "command.approval", "patch.approval");
  return {
    policy: ofCommands(approvalPolicy),
    rulesPolicy: ofCommands(questions?.rules === true ? "on-request" : approvalPolicy),
    toolPolicy,
    asksOfRules: questions?.rules ?? true,
    asksOfMcp: questions?.mcp ?? true,
    asksOfTools: policyTraits[toolPolicy].asks && takesQuestion(person, "tool.approval"),
    person,
  };
}
