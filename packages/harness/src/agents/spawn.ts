import { followSignals } from "@unroll/flow";
import {
  type AgentProgress,
  type AgentWorktree,
  type ReasoningEffort,
  type SandboxMode,
  sandboxModes,
} from "@unroll/protocol";
import type { AgentTask, InputSchema } from "@unroll/tools";
import { checkCall, checkKeys } from "../check-options.ts";
import { HarnessError } from "../harness-error.ts";
import type { TurnResult } from "../turn/turn.ts";
import type { Agent } from "./agent.ts";
import type { AgentPool } from "./agent-pool.ts";

/** A task of the program for a sub-agent. Absent: as its role says, or as the thread. */
export interface SpawnOptions {
  /** A short name for people. Absent: one is made of the role and a number. */
  readonly name?: string;
  readonly role?: string;
  /** The names of its only tools. */
  readonly tools?: readonly string[];
  readonly sandboxMode?: SandboxMode;
  readonly model?: string;
  readonly reasoningEffort?: ReasoningEffort;
  /** Relative to the working folder. */
  readonly folder?: string;
  /** Whether it works in a git worktree of its own. */
  readonly worktree?: boolean;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** A task whose report is a typed value. */
export interface SpawnOutputOptions<Value> extends SpawnOptions {
  /** As of `Thread.run`. */
  readonly output: InputSchema<Value>;
}

/** A sub-agent of the program. */
export interface SpawnedAgent<Value = null> {
  /** The id of its thread. */
  readonly id: string;
  readonly name: string;
  /** Its current state. */
  readonly progress: AgentProgress;
  /** The end of its task. Rejects like an awaited `Thread.run`. */
  readonly result: Promise<AgentResult<Value>>;
}

/** The report of a sub-agent. */
export interface AgentResult<Value = null> extends TurnResult<Value> {
  /** The files that its patches changed; in a worktree, all that it changed, relative to the top. */
  readonly changedFiles: readonly string[];
  /** Its git worktree, with the changes as a patch; null: it has none, or none any more, because it changed nothing. */
  readonly worktree: AgentWorktree | null;
}

/** The type of `Thread.spawn`. */
export interface Spawn {
  (task: string, options?: SpawnOptions): Promise<SpawnedAgent>;
  <Value>(task: string, options: SpawnOutputOptions<Value>): Promise<SpawnedAgent<Value>>;
}

const known: Readonly<Record<keyof SpawnOutputOptions<unknown>, true>> = {
  name: true,
  role: true,
  tools: true,
  sandboxMode: true,
  model: true,
  reasoningEffort: true,
  folder: true,
  worktree: true,
  signal: true,
  output: true,
};

const shape = {
  task: "text",
  "options.name?": "text",
  "options.role?": "text",
  "options.tools?": "a list",
  "options.sandboxMode?": sandboxModes,
  "options.model?": "text",
  "options.reasoningEffort?": "text",
  "options.folder?": "text",
} as const;

/** `closing`: aborts when the thread closes. */
export function createSpawn(
  { spawn: start }: Pick<AgentPool<unknown>, "spawn">,
  end: { readonly signal: AbortSignal; checkOpen(): void },
): Spawn {
  async function spawn(task: string, options?: SpawnOptions): Promise<SpawnedAgent>;
  async function spawn<Value>(task: string, options: SpawnOutputOptions<Value>): Promise<SpawnedAgent<Value>>;
  async function spawn(
    task: string,
    options: SpawnOptions & { readonly output?: InputSchema } = {},
  ): Promise<SpawnedAgent<unknown>> {
    end.checkOpen();
    checkCall("spawn", { task, options }, shape);
    checkKeys({ call: "spawn" }, options, known);
    const { signal = end.signal, output, worktree = false } = options;
    if (typeof worktree !== "boolean")
      throw new HarnessError("invalid_options", "spawn: options.worktree has to be true or false.");
    const agent = await start(toTask(task, options), { signal, ...(output && { output }) });
    if (typeof agent !== "string") return followAgent(agent, signal);
    throw new HarnessError("agent_not_started", `The sub-agent was not started. ${agent}`);
  }
  return spawn;
}

function toTask(task: string, options: SpawnOptions): AgentTask {
  const { name = null, role = null, tools = null, sandboxMode = null, model = null, folder = null } = options;
  const { reasoningEffort: effort = null, worktree = false } = options;
  return { task, name, role, tools, sandbox: sandboxMode, model, effort, folder, worktree };
}

function followAgent(agent: Agent<unknown>, signal: AbortSignal): SpawnedAgent<unknown> {
  const result = readResult(agent, signal);
  result.catch(() => {}); // its reader gets the error
  return {
    id: agent.progress.thread_id,
    name: agent.name,
    get progress() {
      return agent.progress;
    },
    result,
  };
}

async function readResult(agent: Agent<unknown>, signal: AbortSignal): Promise<AgentResult<unknown>> {
  const { run } = agent;
  if (run === null) throw new HarnessError("closed", "The thread closed before the sub-agent began.");
  using wanted = followSignals([signal]);
  wanted.signal.addEventListener("abort", () => run.stop.abort(signal.reason), { once: true });
  await run.ended;
  const { changedFiles } = agent.report ?? { changedFiles: [] };
  return { ...(await run.turn), changedFiles, worktree: agent.progress.worktree ?? null };
}
