import type { RequestHead } from "@unroll/protocol";
import {
  type AgentPort,
  agentToolNames,
  type AgentToolStyle,
  createAgentTools,
  type Tool,
  type UnlistedTools,
} from "@unroll/tools";
import type { ThreadBase } from "../base/thread-base.ts";

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
): ThreadAgentTools {
  const styleNow = (): AgentToolStyle => (trainedFamilies.includes(settings.config.modelFamily.id) ? "spawn" : "agent");
  let style: AgentToolStyle = "agent";
  return {
    choose(head) {
      const listed = head === null ? null : findStyle(head);
      const { enabled, maxDepth } = settings.config.agents;
      const hasTools = head === null ? enabled && own.tree.depth < maxDepth : listed !== null;
      style = listed ?? styleNow();
      return hasTools ? createAgentTools({ agents: agents(), style }) : [];
    },
    names() {
      const [, wait, send] = agentToolNames[style];
      return { wait, send };
    },
  };
}

/** Null: its requests list none. */
function findStyle({ tools }: RequestHead): AgentToolStyle | null {
  const hasTool = (style: AgentToolStyle): boolean => tools.some(({ name }) => name === agentToolNames[style][0]);
  return hasTool("spawn") ? "spawn" : hasTool("agent") ? "agent" : null;
}

/** Leaves only tools of these names; null: all. */
export function limitTools(
  only: readonly string[] | null,
  listed: readonly Tool[],
  unlisted: UnlistedTools,
): readonly [readonly Tool[], UnlistedTools] {
  if (only === null) return [listed, unlisted];
  const isAllowed = ({ name }: Tool): boolean => only.includes(name);
  const kept = unlisted.kept.filter(isAllowed);
  return [listed.filter(isAllowed), { find: () => null, explain: () => null, kept }];
}
