import type { ApprovalPolicy, ReasoningEffort, SandboxMode } from "@unroll/protocol";
import type { FileFault } from "../file/file-fault.ts";

/** A kind of sub-agent: its instructions, and limits within those of the thread that starts it. Null: as that thread. */
export interface AgentRole {
  /** In the form of a skill's name. */
  readonly name: string;
  /** For the model: when to use it. One line. */
  readonly description: string;
  /** Developer instructions of the sub-agent, behind those of the config. */
  readonly instructions: string | null;
  /** The model's names of its only tools. */
  readonly tools: readonly string[] | null;
  /** The names of tools that it does not get. */
  readonly withoutTools: readonly string[];
  readonly sandboxMode: SandboxMode | null;
  readonly approvalPolicy: ApprovalPolicy | null;
  /** `small`: a cheaper model of the same provider, if one is known. */
  readonly model: string | null;
  readonly reasoningEffort: ReasoningEffort | null;
  /** How many requests to the model it may make. */
  readonly maxTurns: number | null;
  /** Whether it works in a git worktree of its own where it can change files. */
  readonly worktree: boolean;
}

/** A role, and the file that defines it. */
export interface FoundRole extends AgentRole {
  /** Absolute; null: it is built in. */
  readonly path: string | null;
}

/** A role that a file defines. */
export interface FileRole extends FoundRole {
  readonly path: string;
}

/** All roles of a thread, and what is wrong with some. */
export interface RoleSurvey {
  /** By name in code-unit order; the built-in ones come last. */
  readonly roles: readonly FoundRole[];
  readonly faults: readonly FileFault[];
  /** The role files of a project that is not trusted: not read. */
  readonly untrusted: readonly string[];
}

/** A role that says nothing of its own. */
export const plainRole: Omit<AgentRole, "name" | "description"> = {
  instructions: null,
  tools: null,
  withoutTools: [],
  sandboxMode: null,
  approvalPolicy: null,
  model: null,
  reasoningEffort: null,
  maxTurns: null,
  worktree: false,
};

/** Commands in a read-only sandbox, no patches, and nobody is asked for more. */
export const reading: Pick<AgentRole, "withoutTools" | "sandboxMode" | "approvalPolicy"> = {
  withoutTools: ["apply_patch"],
  sandboxMode: "read-only",
  approvalPolicy: "never",
};
