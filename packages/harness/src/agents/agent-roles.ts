import { type ApprovalPolicy, approvalPolicies, type SandboxMode, sandboxModes } from "@unroll/protocol";
import type { AgentRole } from "@unroll/prompt";
import type { AgentTask } from "@unroll/tools";
import { checkCall, checkKeys } from "../check-options.ts";
import { HarnessError } from "../harness-error.ts";

/** A role of a program: instructions and limits of a sub-agent, within those of its parent. Absent: as its parent. */
export interface AgentRoleOptions {
  readonly name: string;
  /** For the model: when to use it. */
  readonly description: string;
  /** Developer instructions of the sub-agent, behind those of the config. */
  readonly instructions?: string;
  /** The names of its only tools. */
  readonly tools?: readonly string[];
  /** The names of tools that it does not get. */
  readonly withoutTools?: readonly string[];
  readonly sandboxMode?: SandboxMode;
  readonly approvalPolicy?: ApprovalPolicy;
  /** `small`: a cheaper model of the same provider, if one is known. */
  readonly model?: string;
  readonly reasoningEffort?: string;
  /** How many requests to the model it may make. */
  readonly maxTurns?: number;
  /** Whether it works in a git worktree of its own where it can change files. */
  readonly worktree?: boolean;
}

/** The roles of a thread. */
export type FoundRoles = readonly AgentRole[];

const known: Readonly<Record<keyof AgentRoleOptions, true>> = {
  name: true,
  description: true,
  instructions: true,
  tools: true,
  withoutTools: true,
  sandboxMode: true,
  approvalPolicy: true,
  model: true,
  reasoningEffort: true,
  maxTurns: true,
  worktree: true,
};

const shape = {
  name: "text",
  description: "text",
  "instructions?": "text",
  "tools?": "a list",
  "withoutTools?": "a list",
  "sandboxMode?": sandboxModes,
  "approvalPolicy?": approvalPolicies,
  "model?": "text",
  "reasoningEffort?": "text",
} as const;

/** Throws `HarnessError` `invalid_options` for unknown names and values: a restraint that is not understood is none. */
export function settleRole(role: AgentRoleOptions): AgentRole {
  const call = "openThread, agents";
  checkCall(call, role, shape);
  checkKeys({ call }, role, known);
  const { name, description, instructions = null, tools = null, withoutTools = [], maxTurns = null } = role;
  const { worktree = false } = role;
  if (typeof worktree !== "boolean")
    throw new HarnessError("invalid_options", `${call}: worktree has to be true or false.`);
  if (maxTurns !== null && !(Number.isInteger(maxTurns) && maxTurns > 0))
    throw new HarnessError("invalid_options", `${call}: maxTurns has to be a whole number from 1.`);
  const { sandboxMode = null, approvalPolicy = null, model = null, reasoningEffort = null } = role;
  const limits = { tools, withoutTools, sandboxMode, approvalPolicy, maxTurns, worktree };
  return { name, description, instructions, ...limits, model, reasoningEffort };
}

/** The roles of the program, then the others whose names it does not use. */
export function joinRoles(own: FoundRoles | null, others: FoundRoles): FoundRoles {
  if (own === null) return others;
  return [...own, ...others.filter(({ name }) => !own.some((role) => role.name === name))];
}

/** Throws an error for the model if there is no such role. */
export function findRole(roles: FoundRoles, name: string): AgentRole {
  const role = roles.find((each) => each.name === name);
  if (role !== undefined) return role;
  const names = roles.map((each) => each.name).join(", ");
  throw new HarnessError("invalid_options", `There is no role ${name}. There are: ${names}.`);
}

/** The tighter one. */
export function meetSandbox(one: AgentTask["sandbox"], two: AgentTask["sandbox"]): AgentTask["sandbox"] {
  return sandboxModes.find((mode) => mode === one || mode === two) ?? null;
}
