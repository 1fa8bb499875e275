import type { RequestHead } from "@unroll/protocol";
import {
  type AgentPort,
  agentToolNames,
  type AgentToolStyle,
  createAgentTools,
  type Tool,
  type UnlistedTools,
} from "@unroll/tools";
import type { FoundRoles } from "../agents/agent-roles.ts";
import type { ThreadBase } from "../base/thread-base.ts";
import type { ThreadBounds } from "../sub-agent/thread-bounds.ts";

/** The tools of a thread that start sub-agents. */
export interface ThreadAgentTools {
  /** Those for a new thread, or as a resumed thread's requests list them. `head`: as of `openRuntime`. */
  choose(head: RequestHead | null): readonly Tool[];
  /** The model's names of two of them. */
  names(): { readonly wait: string; readonly send: string };
}

/** The families whose models are trained on the names of the Codex CLI. */
const trainedFamilies: readonly string[] = ["gpt-5", "gpt-5-codex"];

export function openAgentTools(
  { own, settings }: Pick<ThreadBase, "own" | "settings">,
  agents: () => AgentPort,
  roles: FoundRoles,
): ThreadAgentTools {
  const styleNow = (): AgentToolStyle => (trainedFamilies.includes(settings.config.modelFamily.id) ? "spawn" : "agent");
  let style: AgentToolStyle = "agent";
  return {
    choose(head) {
      const listed = head === null ? null : findStyle(head);
      style = listed ?? styleNow();
      const hasTools = head === null ? canStart({ own, settings }) : listed !== null;
      return hasTools ? createAgentTools({ agents: agents(), style, roles }) : [];
    },
    names() {
      const [, wait, send] = agentToolNames[style];
      return { wait, send };
    },
  };
}

/** Whether a thread may start sub-agents, by its settings. */
export function canStart({ own, settings }: Pick<ThreadBase, "own" | "settings">): boolean {
  const { enabled, maxDepth } = settings.config.agents;
  return (enabled || own.agents !== null) && own.tree.depth < maxDepth;
}

/** Null: its requests list none. */
function findStyle({ tools }: RequestHead): AgentToolStyle | null {
  const hasTool = (style: AgentToolStyle): boolean => tools.some(({ name }) => name === agentToolNames[style][0]);
  return hasTool("spawn") ? "spawn" : hasTool("agent") ? "agent" : null;
}

/** Leaves the tools that a thread may have. */
export function limitTools(
  { only, without }: Pick<ThreadBounds, "only" | "without">,
  listed: readonly Tool[],
  unlisted: UnlistedTools,
): readonly [readonly Tool[], UnlistedTools] {
  if (only === null && without.length === 0) return [listed, unlisted];
  const isNamed = (name: string): boolean => (only === null || only.includes(name)) && !without.includes(name);
  const isAllowed = ({ name }: Tool): boolean => isNamed(name);
  const find: UnlistedTools["find"] = (name) => (only === null && isNamed(name) ? unlisted.find(name) : null);
  const explain = only === null ? unlisted.explain.bind(unlisted) : () => null;
  return [listed.filter(isAllowed), { find, explain, kept: unlisted.kept.filter(isAllowed) }];
}
