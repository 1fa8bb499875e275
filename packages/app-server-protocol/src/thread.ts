import * as z from "zod";
import { threadItem } from "./thread-item.ts";

export const turnError = z.object({
  message: z.string(),
  codexErrorInfo: z.union([z.string(), z.record(z.string(), z.unknown())]).nullable(),
  additionalDetails: z.string().nullable(),
});

export const turn = z.object({
  id: z.string(),
  items: z.array(threadItem),
  /** `summary`: the message that it ended with. */
  itemsView: z.enum(["notLoaded", "summary", "full"]),
  status: z.enum(["inProgress", "completed", "interrupted", "failed"]),
  error: turnError.nullable(),
  /** In s since 1970. */
  startedAt: z.number().nullable(),
  completedAt: z.number().nullable(),
  durationMs: z.number().nullable(),
});

export const threadStatus = z.discriminatedUnion("type", [
  z.object({ type: z.literal("notLoaded") }),
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("active"), activeFlags: z.array(z.literal("waitingOnApproval")) }),
]);

/** The thread that started a sub-agent. `depth`: from 1. */
const spawnedBy = z.object({
  thread_spawn: z.object({
    parent_thread_id: z.string(),
    depth: z.number(),
    agent_path: z.null(),
    agent_nickname: z.string().nullable(),
    agent_role: z.string().nullable(),
  }),
});

export const thread = z.object({
  id: z.string(),
  sessionId: z.string(),
  forkedFromId: z.string().nullable(),
  /** The thread that started it as a sub-agent. */
  parentThreadId: z.string().nullable(),
  /** There are no projects here. */
  projectId: z.null(),
  /** The beginning of what a person said first. */
  preview: z.string(),
  name: z.string().nullable(),
  ephemeral: z.boolean(),
  modelProvider: z.string(),
  model: z.string().nullable(),
  /** In s since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  status: threadStatus,
  path: z.string().nullable(),
  cwd: z.string(),
  cliVersion: z.string(),
  /** The kind of program that started it. */
  source: z.union([z.enum(["cli", "vscode", "exec", "appServer", "unknown"]), z.object({ subAgent: spawnedBy })]),
  /** The name and the role of a sub-agent. Null where the answer does not look them up, as in lists. */
  agentNickname: z.string().nullable(),
  agentRole: z.string().nullable(),
  gitInfo: z.object({ branch: z.string().nullable(), sha: z.null(), originUrl: z.null() }).nullable(),
  /** Empty unless they are asked for. */
  turns: z.array(turn),
});

export const approvalPolicy = z.enum(["untrusted", "on-failure", "on-request", "never"]);
const granularPolicy = z.object({
  granular: z.object({
    sandbox_approval: z.boolean().optional(),
    rules: z.boolean().optional(),
    mcp_elicitations: z.boolean().optional(),
    request_permissions: z.boolean().optional(),
    skill_approval: z.boolean().optional(),
  }),
});
/** The policy of clients of later protocols: each enabled switch is a question for the person. */
export const askedPolicy = z.union([approvalPolicy, granularPolicy]).nullish();
/** A permission profile: a built-in one, or one of the config. */
export const profileId = z.string().min(1).nullish();
export const sandboxMode = z.enum(["read-only", "workspace-write", "danger-full-access"]);

const absolutePath = z.string().regex(/^(\/|\\\\|[A-Za-z]:[\\/])/, "an absolute path is expected");

export const sandboxPolicy = z.discriminatedUnion("type", [
  z.object({ type: z.literal("dangerFullAccess") }),
  z.object({ type: z.literal("readOnly"), networkAccess: z.boolean().default(false) }),
  z.object({
    type: z.literal("workspaceWrite"),
    writableRoots: z.array(absolutePath).default([]),
    networkAccess: z.boolean().default(false),
    excludeTmpdirEnvVar: z.boolean().default(false),
    excludeSlashTmp: z.boolean().default(false),
  }),
]);

/** Plan mode as clients see it, with the model's settings in it. */
export const collaborationMode = z.object({
  mode: z.enum(["default", "plan"]),
  settings: z.object({
    model: z.string(),
    reasoning_effort: z.string().nullish(),
    developer_instructions: z.string().nullish(),
  }),
});

/** The permission profile that the sandbox comes from; null: none was named. */
const activePermissionProfile = z.object({ id: z.string(), extends: z.string().nullable() }).nullable();

/** The result of `thread/start`, `thread/resume` and `thread/fork`. */
export const openedThread = z.object({
  thread,
  model: z.string(),
  modelProvider: z.string(),
  serviceTier: z.string().nullable(),
  cwd: z.string(),
  /** The working folder alone; the Codex CLI's terminal sends them back with each turn. */
  runtimeWorkspaceRoots: z.array(z.string()),
  instructionSources: z.array(z.string()),
  approvalPolicy,
  approvalsReviewer: z.literal("user"),
  sandbox: sandboxPolicy,
  activePermissionProfile,
  reasoningEffort: z.string().nullable(),
  collaborationMode,
});

/** The settings of a thread. */
export const threadSettings = z.object({
  cwd: z.string(),
  model: z.string(),
  modelProvider: z.string(),
  serviceTier: z.string().nullable(),
  approvalPolicy,
  approvalsReviewer: z.literal("user"),
  sandboxPolicy,
  activePermissionProfile,
  effort: z.string().nullable(),
  summary: z.string().nullable(),
  collaborationMode,
});

/** A turn, as clients get it. */
export type WireTurn = z.infer<typeof turn>;
/** Why a turn failed. */
export type WireTurnError = z.infer<typeof turnError>;
/** A thread, open or kept. */
export type WireThread = z.infer<typeof thread>;
/** Whether a thread is open, and a turn runs. */
export type WireThreadStatus = z.infer<typeof threadStatus>;
/** How far commands reach. */
export type WireSandboxPolicy = z.infer<typeof sandboxPolicy>;
/** The settings of a thread, as clients get them after a change. */
export type WireThreadSettings = z.infer<typeof threadSettings>;
/** The result for a client that opens a thread. */
export type OpenedThread = z.infer<typeof openedThread>;
