import type {
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalQuestion,
  McpApprovalMode,
  SandboxPolicy,
  ThreadNotes,
} from "@unroll/protocol";
import {
  askPerson,
  type CallGate,
  type CallVerdict,
  type GateContext,
  type GatedCall,
  type GatedCommand,
  type GatedHost,
  parseDecision,
  takesQuestion,
} from "@unroll/tools";
import { describeThrown } from "@unroll/text";
import type { Approvals } from "./policy/approvals.ts";
import type { GitReader } from "./git-reader.ts";
import type { CommandRules } from "./judge/judge-command-call.ts";
import { adviseOnHost, judgeHost } from "./judge/judge-host.ts";
import { judgeMcpCall, judgeToolCall } from "./judge/judge-tool-call.ts";
import { type EditScope, judgePatchCall } from "./judge/judge-patch-call.ts";
import { type AskJudgement, type Judgement, toApprovalKey } from "./judge/judgement.ts";
import { policyTraits } from "./policy/policy-traits.ts";
import type { RuleStore } from "./rule-store.ts";

export interface CallGateOptions {
  readonly threadId: string;
  /** Read at each judgement, as a thread's settings change. */
  readonly settings: () => GateSettings;
  readonly book: RuleStore;
  /** Absolute; null where it is not known. */
  readonly homeDirectory: string | null;
  readonly lookAtGit: GitReader;
  /** Whether a program of the workspace stands for a name in the folder. */
  readonly isShadowed: (name: string, cwd: string) => boolean;
  /** Whether rules that allow a command count in a folder: see `JudgeContext` of the exec policy. */
  readonly isRuleFolder: (folder: string, usesGit: boolean) => boolean;
  /** The config's approval mode for a tool of an MCP server. */
  readonly mcpApprovalMode: (server: string, tool: string) => McpApprovalMode;
  readonly findEdits: () => EditScope;
  /** Keeps what was approved for the thread. */
  readonly notes: ThreadNotes;
}

interface GateSettings {
  readonly approvals: Approvals;
  readonly sandbox: { readonly policy: SandboxPolicy };
}

/** The settings in force while a call is judged. */
interface HeldSettings {
  readonly approvals: Approvals;
  readonly sandbox: SandboxPolicy;
}

/** A call that a person is asked about. */
interface AskedCall extends AskJudgement, HeldSettings {
  readonly call: GatedCall;
}

/**
 * The one place that decides which calls run. Judges each by its kind, asks the person where that says so, and keeps what
 * they approve. Only the known approvals run anything; where nobody can be asked, what would ask is declined.
 */
export function createCallGate(options: CallGateOptions): CallGate {
  const { book, notes } = options;

  async function assess(call: GatedCall, held: HeldSettings, { itemId, signal }: GateContext): Promise<Judgement> {
    const { approvals, sandbox } = held;
    const place = { threadId: options.threadId, itemId };
    const rules = { ...approvals, approvalPolicy: approvals.policy, sandboxMode: sandbox.mode };
    switch (call.type) {
      case "command": {
        const { judgeCommandCall } = await import("./judge/judge-command-call.ts");
        const context = await lookAround(call, { ...options, policy: approvals.policy, signal });
        return tellOfHosts(judgeCommandCall(call, { ...rules, rules: book.rules, ...context }, place), sandbox);
      }
      case "patch":
        return judgePatchCall(call, { ...rules, findEdits: options.findEdits }, place);
      case "mcp": {
        const { server, tool } = call.call;
        const mode = options.mcpApprovalMode(server, tool);
        return judgeMcpCall(call, { mode, isAttended: approvals.asksOfTools }, place);
      }
      case "tool":
        return judgeToolCall(call, place);
      case "host":
        return judgeHost(call, place);
    }
  }

  function keep(keys: readonly string[], verdict: CallVerdict): CallVerdict {
    notes.set("approved", [...new Set([...notes.get("approved"), ...keys])]);
    return verdict;
  }

  async function ask(asked: AskedCall, context: GateContext): Promise<CallVerdict> {
    const { call, question, verdict, approvals, sandbox } = asked;
    const policy = findPolicy(question, approvals);
    const keys = asked.kept.map((subject) => toApprovalKey(subject, { sandbox, policy }));
    const edits = listEdits(question).map((subject) => toApprovalKey(subject, { sandbox, policy }));
    const approved = notes.get("approved");
    const { asksOfMcp, person } = approvals;
    if (call.type === "mcp" && !asksOfMcp) return toDecline(question, notAsked);
    const holds = (wanted: readonly string[]): boolean =>
      wanted.length > 0 && wanted.every((key) => approved.includes(key));
    const [host = ""] = keys;
    if (holds(call.type === "host" ? [host] : keys) || holds(edits)) return verdict;
    if (!policyTraits[policy].asks || !takesQuestion(person, question.type)) {
      return toDecline(question, call.type === "host" ? adviseOnHost(call) : unattended);
    }
    const read = (answer: unknown): Promise<ApprovalDecision | null> => readDecision(call, question, answer);
    const decision = await askPerson(person, { question, read }, context);
    switch (decision?.type) {
      case "approved.once":
        return verdict;
      case "approved.thread":
        return keep(keys, verdict);
      case "approved.edits":
        return keep(edits, verdict);
      case "approved.hosts":
        if (call.type === "host") await keepHosts(book, call, context);
        return keep(keys, verdict);
      case "approved.always":
        // the variables belong to the question, not to the answer
        await keepRule(() => {
          const rule = { prefix: decision.prefix, env: findProposedEnv(question) };
          return book.allowPrefix(rule, context.signal);
        }, context);
        return verdict;
      case "denied":
      case "postponed":
      case undefined:
        return toRefusal(decision, question);
    }
  }

  return {
    async judge(call, context) {
      const { approvals, sandbox } = options.settings();
      const held = { approvals, sandbox: sandbox.policy };
      const judgement = await assess(call, held, context);
      return judgement.type === "ask" ? ask({ ...judgement, ...held, call }, context) : judgement;
    },
  };
}

/** Where commands reach single hosts, a question about one outside the sandbox says that those do not hold there. */
function tellOfHosts(judgement: Judgement, sandbox: SandboxPolicy): Judgement {
  if (judgement.type !== "ask" || judgement.question.type !== "command.approval") return judgement;
  const { question } = judgement;
  const isLimited = sandbox.mode === "workspace-write" && sandbox.network.type === "hosts";
  if (!question.isUnconfined || !isLimited) return judgement;
  const reason = `${question.reason} Outside the sandbox, it reaches every host.`;
  return { ...judgement, question: { ...question, reason } };
}

/** The folders belong to the subject: in other folders the answer does not count. */
function listEdits(question: ApprovalQuestion): readonly (readonly unknown[])[] {
  if (question.type !== "patch.approval" || question.editFolders.length === 0) return [];
  return [["edits", question.editFolders]];
}

function findPolicy({ type }: ApprovalQuestion, { policy, rulesPolicy, toolPolicy }: Approvals): ApprovalPolicy {
  if (type === "tool.approval") return toolPolicy;
  return type === "command.approval" ? rulesPolicy : policy; // where nothing else is asked of commands, a rule may be
}

/** Null for an invalid answer. "always" is valid only for a prefix of the command in question. */
async function readDecision(
  call: GatedCall,
  question: ApprovalQuestion,
  answer: unknown,
): Promise<ApprovalDecision | null> {
  const decision = parseDecision(question, answer);
  if (decision?.type !== "approved.always") return decision;
  if (call.type !== "command" || question.type !== "command.approval") return null;
  const { answersQuestion } = await import("@unroll/exec-policy");
  const { argv, cwd } = call.request;
  const asked = {
    command: { argv },
    cwd,
    proposedPrefix: question.proposedPrefix ?? [],
    proposedEnv: question.proposedEnv,
  };
  return answersQuestion(decision.prefix, asked) ? decision : null;
}

function findProposedEnv(question: ApprovalQuestion): readonly string[] {
  return question.type === "command.approval" ? question.proposedEnv : [];
}

/** A rule that asks still asks, whatever another one allows. */
async function keepHosts(book: RuleStore, { hosts, prompt }: GatedHost, context: GateContext): Promise<void> {
  if (prompt === null) return keepRule(() => book.allowHosts(hosts, context.signal), context);
  const message = `Your network_rule for ${prompt} asks each time, so the answer counts for this thread only.`;
  await context.emit({ type: "warning", message });
}

/** The command was approved whether or not its rule can be written. */
async function keepRule(write: () => Promise<void>, { emit }: GateContext): Promise<void> {
  try {
    await write();
  } catch (error) {
    const cause = describeThrown(error);
    await emit({ type: "warning", message: `The rule that allows it always could not be written: ${cause}` });
  }
}

interface Look extends Pick<CallGateOptions, "homeDirectory" | "isRuleFolder" | "isShadowed" | "lookAtGit"> {
  readonly policy: ApprovalPolicy;
  readonly signal: AbortSignal;
}

/** The facts about a command that do not come from its words. */
async function lookAround(
  call: GatedCommand,
  { homeDirectory, isRuleFolder, lookAtGit, policy, signal, ...around }: Look,
): Promise<Pick<CommandRules, "git" | "homeDirectory" | "isRuleFolder" | "isShadowed">> {
  const { cwd } = call.request;
  const isShadowed = (name: string): boolean => around.isShadowed(name, cwd);
  // elsewhere it makes no difference whether a git that reads may run something
  const mayLook = mayOnlyReadGit(call, policy) && !isShadowed("git");
  return { homeDirectory, isRuleFolder, isShadowed, git: mayLook ? await lookAtGit(cwd, signal) : null };
}

function mayOnlyReadGit({ request, denial, typedAt }: GatedCommand, policy: ApprovalPolicy): boolean {
  return (
    policyTraits[policy].isWary &&
    denial === null &&
    typedAt === null &&
    request.argv.some((word) => /\bgit\b/.test(word))
  );
}

const unattended = "Nobody is here to approve it: go another way, or say in the end what was needed.";

const notAsked =
  "The approval policy refuses that without asking anybody: go another way, or say in the end what was needed.";

function toDecline({ reason }: ApprovalQuestion, rest: string): CallVerdict {
  return { type: "declined", message: `${reason} ${rest}` };
}

/** Nothing of the call runs now. `decision` is null for an invalid answer. */
function toRefusal(
  decision: Extract<ApprovalDecision, { readonly type: "denied" | "postponed" }> | null,
  { reason }: ApprovalQuestion,
): CallVerdict {
  if (decision === null)
    return { type: "declined", message: `${reason} Nobody gave a valid answer, so it was refused.` };
  return decision.type === "postponed" ? { type: "postponed", reason } : toDenial(decision.reason);
}

/** The user denied the call. Only the model needs the advice in `message`; `reason` is for everyone else. */
function toDenial(words: string | null): CallVerdict {
  if (words !== null && words.trim() !== "") return { type: "declined", message: `The user said no, and: ${words}` };
  const reason = "The user said no.";
  const message = `${reason} Do not try it again in another form; go another way, or ask what they want.`;
  return { type: "declined", message, reason };
}
