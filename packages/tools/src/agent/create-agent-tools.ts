import { sandboxModes, type ToolCallThreadItem } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import * as z from "zod";
import type { InputSchema } from "../schema/input-schema.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool, CallEnd, PlannedCall } from "../tool/tool.ts";
import { agentToolNames, type AgentToolStyle } from "../tool/agent-tool-names.ts";
import type { AgentAnswer, AgentPort, AgentTask, AgentWait } from "./agent-port.ts";

export interface AgentToolsOptions {
  readonly agents: AgentPort;
  readonly style: AgentToolStyle;
  /** The roles that a task may name; empty: there are none. */
  readonly roles: readonly AgentRoleLine[];
}

/** A role, as the model reads about it. */
interface AgentRoleLine {
  readonly name: string;
  readonly description: string;
}

const longestWaitMs = 3_600_000;

/** The tools that start sub-agents, wait for them, write to them and stop them. */
export function createAgentTools({ agents, style, roles }: AgentToolsOptions): readonly CallableTool[] {
  const [start, wait, send, stop] = agentToolNames[style];
  const target = z.string().min(1).describe("The sub-agent: its thread id, or its name.");
  const message = z.string().min(1).describe("The text of the message.");
  const description = `Gives a task to a sub-agent, which works in a thread of its own and has no more permissions than you. It does not see this thread, so write down all that it needs. The call returns its report when it has finished. Several calls in one response run side by side. With wait: false it returns at once, and you get the report later, or by ${wait}.`;
  const begun = { agents, tool: start, description };
  return [
    style === "spawn" ? defineStart(toSpawnInput(roles), begun) : defineStart(toAgentInput(roles), begun),
    definePlannedTool({
      name: wait,
      description:
        "Waits until sub-agents have finished, and returns their reports. It returns early when the user writes to you. Do not call it in a loop with short limits: each call costs a request.",
      input: z.strictObject({
        targets: z.array(target).min(1).describe("Which ones. Default: all that run.").optional(),
        until: z.enum(["any", "all"]).describe("Whether to wait for the first or for all. Default: all.").optional(),
        timeout_ms: z.number().int().min(0).max(longestWaitMs).describe("The longest wait. Default: none.").optional(),
      }),
      concurrency: "shared",
      plan: async ({ targets = null, until = "all", timeout_ms = null }, { itemId }) => {
        const asked: AgentWait = { agents: targets, until, timeoutMs: timeout_ms };
        const item = toShown(wait, { targets, until, timeout_ms }, itemId);
        return {
          ...planPlain(wait, item.arguments, () => Promise.resolve(nothing)),
          item,
          async run(_, { signal }) {
            const { reported, ...answer } = await agents.wait(asked, signal);
            return toEnd(reported ? { ...answer, item: { ...item, status: "completed", reported } } : answer);
          },
        };
      },
    }),
    definePlannedTool({
      name: send,
      description:
        "Sends a message to a sub-agent. A running one reads it before its next step. One that has finished continues with it, in the background.",
      input: z.strictObject({ target, message }),
      concurrency: "shared",
      plan: async (input) => planPlain(send, input, (signal) => agents.message(input.target, input.message, signal)),
    }),
    definePlannedTool({
      name: stop,
      description: "Stops a running sub-agent. Its thread and the files that it changed stay as they are.",
      input: z.strictObject({ target }),
      concurrency: "shared",
      plan: async (input) => planPlain(stop, input, () => agents.interrupt(input.target)),
    }),
  ];
}

interface StartInput<Input> {
  readonly input: InputSchema<Input>;
  readonly parse: (input: Input) => WaitingTask;
}

function defineStart<Input>(
  { input, parse }: StartInput<Input>,
  { agents, tool, description }: Pick<StartPlace, "agents" | "tool"> & { readonly description: string },
): CallableTool {
  return definePlannedTool({
    name: tool,
    description,
    input,
    concurrency: "shared",
    plan: async (given, { itemId }) => planStart(parse(given), given, { agents, tool, itemId }),
  });
}

/** The members that both styles have. */
function toSharedMembers() {
  return {
    tools: z.array(z.string()).describe("The only tools that it gets. Default: yours, without these.").optional(),
    sandbox: z.enum(sandboxModes).describe("A tighter sandbox than yours. Default: yours.").optional(),
    model: z.string().min(1).describe("Another model. Leave it out unless the user asked for one.").optional(),
    folder: z.string().min(1).describe("The folder that it works in. Default: yours.").optional(),
    worktree: z
      .boolean()
      .describe(
        "Whether it works in a git worktree of its own, made from your last commit. Its changes stay there, and you get them as a diff. Use it for changes side by side. Default: false.",
      )
      .optional(),
    wait: z.boolean().describe("Whether the call waits for the report. Default: true.").optional(),
  };
}

type SharedInput = z.output<z.ZodObject<ReturnType<typeof toSharedMembers>>>;

type WaitingTask = AgentTask & { readonly waits: boolean };

function toTask(shared: SharedInput, own: Pick<AgentTask, "task" | "name" | "role" | "effort">): WaitingTask {
  const { tools, sandbox, model, folder, worktree = false, wait: waits = true } = shared;
  const asked = { tools: tools ?? null, sandbox: sandbox ?? null, model: model ?? null };
  return { ...own, ...asked, folder: folder ?? null, worktree, waits };
}

const longestRole = 400;
const mostRoles = 50;

function toRoleMember(roles: readonly AgentRoleLine[]): z.ZodOptional<z.ZodString> {
  const lines = roles
    .slice(0, mostRoles)
    .map(({ name, description }) => `- ${name}: ${shortenText(description, longestRole)}`);
  const more = roles.length > mostRoles ? [`- and ${roles.length - mostRoles} more`] : [];
  const listed = ["The role that it has. Default: none, it works as you do.", ...lines, ...more].join("\n");
  return z.string().min(1).describe(listed).optional();
}

function toAgentInput(roles: readonly AgentRoleLine[]) {
  const input = z.strictObject({
    task: z.string().min(1).describe("The task, whole: goal, context, limits, and what the report must say."),
    name: z.string().min(1).max(40).describe("A short name for the user.").optional(),
    role: toRoleMember(roles),
    effort: z.string().min(1).describe("Another reasoning effort. Default: yours.").optional(),
    ...toSharedMembers(),
  });
  return {
    input,
    parse: ({ task, name, role, effort, ...shared }: z.output<typeof input>) =>
      toTask(shared, { task, name: name ?? null, role: role ?? null, effort: effort ?? null }),
  };
}

/** As of `multi_agent_v2`, with the members of ours behind. */
function toSpawnInput(roles: readonly AgentRoleLine[]) {
  const input = z.strictObject({
    task_name: z.string().min(1).max(40).describe("A short name for the user: lowercase letters, digits and _."),
    message: z.string().min(1).describe("The task, whole: goal, context, limits, and what the report must say."),
    agent_type: toRoleMember(roles),
    reasoning_effort: z.string().min(1).describe("Another reasoning effort. Default: yours.").optional(),
    ...toSharedMembers(),
  });
  return {
    input,
    parse: ({ message, task_name, agent_type: role, reasoning_effort: effort, ...shared }: z.output<typeof input>) =>
      toTask(shared, { task: message, name: task_name, role: role ?? null, effort: effort ?? null }),
  };
}

interface StartPlace {
  readonly agents: AgentPort;
  readonly tool: string;
  readonly itemId: string;
}

/** The item of the call shows the sub-agent, and outlives the call as long as the sub-agent runs. */
function planStart({ waits, ...task }: WaitingTask, input: unknown, { agents, tool, itemId }: StartPlace): PlannedCall {
  const shown = toShown(tool, input, itemId);
  return {
    ...planPlain(tool, input, () => Promise.resolve(nothing)),
    item: shown,
    run: async (_, { callId, signal, emit }) =>
      toEnd(await agents.start(task, { callId, signal, waits, emit, item: shown })),
  };
}

function toShown(tool: string, input: unknown, id: string): ToolCallThreadItem {
  return { id, type: "tool_call", tool, arguments: input, output: null, status: "in_progress" };
}

const nothing: AgentAnswer = { output: "", fault: null };

function planPlain(tool: string, input: unknown, run: (signal: AbortSignal) => Promise<AgentAnswer>): PlannedCall {
  return {
    type: "call.planned",
    gated: { type: "tool", tool, arguments: input, approval: "run" },
    run: async (_, { signal }) => toEnd(await run(signal)),
  };
}

function toEnd({ output, fault, item }: AgentAnswer): CallEnd {
  return { answer: output, ...(fault !== null && { fault }), ...(item !== undefined && { item }) };
}
