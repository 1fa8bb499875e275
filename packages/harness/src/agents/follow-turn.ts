import { forEach } from "@unroll/flow";
import type { AgentProgress, ThreadEvent, ThreadItem, TurnOutcome } from "@unroll/protocol";
import { describeThrown, shortenText } from "@unroll/text";
import type { AgentReport } from "./agent-words.ts";

/** The facts about a sub-agent's turn for others. */
export interface SeenTurn {
  readonly lastAction: string | null;
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly changedFiles: readonly string[];
}

export const noSeenTurn: SeenTurn = { lastAction: null, tokens: 0, cachedTokens: 0, changedFiles: [] };

/** Reads a turn to its end. `onSeen` is called with what changed. Never throws. */
export async function followTurn(
  turn: AsyncGenerator<ThreadEvent, TurnOutcome>,
  onSeen: (seen: SeenTurn) => Promise<void>,
): Promise<AgentReport> {
  let seen = noSeenTurn;
  const see = async (event: ThreadEvent): Promise<void> => {
    const next = seeEvent(event, seen);
    if (next === seen) return;
    seen = next;
    await onSeen(seen);
  };
  try {
    return reportOutcome(await forEach(turn, see), seen.changedFiles);
  } catch (error) {
    return { state: "failed", text: describeThrown(error), changedFiles: seen.changedFiles, worktree: null };
  }
}

/** The same object if it tells nothing new. */
export function seeEvent(event: ThreadEvent, seen: SeenTurn): SeenTurn {
  if (event.type === "request.completed" && event.usage !== null) {
    const { input_tokens: input, output_tokens: output, cached_input_tokens: cached } = event.usage;
    return { ...seen, tokens: seen.tokens + input + output, cachedTokens: seen.cachedTokens + cached };
  }
  if (event.type === "item.started") return { ...seen, lastAction: describeAction(event.item) ?? seen.lastAction };
  // its own sub-agents did something: its thread lists them
  if ("item" in event && event.item.type === "tool_call" && event.item.agent !== undefined) return { ...seen };
  if (event.type !== "item.completed" || event.item.type !== "file_change" || event.item.status !== "completed")
    return seen;
  const paths = event.item.changes.map(({ path }) => path);
  return { ...seen, changedFiles: [...new Set([...seen.changedFiles, ...paths])] };
}

const mostCharacters = 80;

function describeAction(item: ThreadItem): string | null {
  const said = nameAction(item);
  return said === null ? null : shortenText(said.replaceAll(/\s+/g, " "), mostCharacters);
}

function nameAction(item: ThreadItem): string | null {
  switch (item.type) {
    case "command_execution":
      return item.command;
    case "file_change":
      return `edit ${item.changes.map(({ path }) => path).join(", ")}`;
    case "mcp_tool_call":
      return `${item.server}.${item.tool}`;
    case "image_view":
      return `view ${item.path}`;
    case "tool_call":
      return item.tool;
    case "web_search":
      return `search ${item.query}`;
    case "agent_message":
    case "reasoning":
    case "todo_list":
    case "error":
      return null;
  }
}

/** The report of a turn that has ended. */
export function reportOutcome(outcome: TurnOutcome, changedFiles: readonly string[]): AgentReport {
  const changed = { changedFiles, worktree: null };
  switch (outcome.type) {
    case "completed":
      return { state: "completed", text: outcome.finalMessage ?? "It wrote no message.", ...changed };
    case "failed":
      return { state: "failed", text: outcome.error.message, ...changed };
    case "interrupted":
      return { state: "stopped", text: "It was stopped before it had a report.", ...changed };
  }
}

/** Its state before it has done anything. */
export function toNewProgress(threadId: string, name: string, role: string | null): AgentProgress {
  const unused = { last_action: null, tokens: 0, cached_tokens: 0, cost: null };
  return { thread_id: threadId, name, role, state: "running", ...unused };
}
