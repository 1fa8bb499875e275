import { type AgentProgress, type MessageItem, withAuthor } from "@unroll/protocol";
import { pluralize } from "@unroll/text";
import { capText } from "@unroll/tools";

/** How a sub-agent's last turn ended. */
export interface AgentReport {
  readonly state: Exclude<AgentProgress["state"], "running">;
  /** Its final message; of one that failed, the reason. */
  readonly text: string;
  /** The files that its patches changed; in a worktree, all that it changed. */
  readonly changedFiles: readonly string[];
  /** The place of its worktree and the diff, in sentences; null: it has none. */
  readonly worktree: string | null;
}

/** About 2,000 tokens. */
const maxReportBytes = 8_000;
const mostFiles = 50;

/** The report of a sub-agent that has ended, for the model. */
export function renderReport(progress: AgentProgress, { state, text, changedFiles, worktree }: AgentReport): string {
  const files = changedFiles.slice(0, mostFiles).join(", ");
  const more = changedFiles.length > mostFiles ? ` and ${changedFiles.length - mostFiles} more` : "";
  return [
    `${describeAgent(progress)}: ${state}`,
    `used: ${describeUse(progress)}`,
    ...(changedFiles.length === 0
      ? []
      : [`files that ${worktree === null ? "its patches" : "it"} changed: ${files}${more}`]),
    ...(worktree === null ? [] : [`worktree: ${worktree}`]),
    "",
    capText(text, maxReportBytes),
  ].join("\n");
}

/** The answer about one that still runs. */
export function renderRunning(progress: AgentProgress, names: { readonly wait: string }, why: string): string {
  const doing = progress.last_action === null ? "" : ` Its last action: ${progress.last_action}.`;
  return `${describeAgent(progress)}: still running. ${why}${doing} Call ${names.wait} to wait for its report; without that you get it when it has finished.`;
}

/** About one that was cut off with its process. */
export function renderCut({ progress, cutTurns }: CutAgent): string {
  return `${describeAgent(progress)} was running when the program ended; ${pluralize(cutTurns ?? 0, "turn")} kept. Wait for it with your tool for that: it continues, and you get its report. Do not give the task to another sub-agent.`;
}

interface CutAgent {
  readonly progress: AgentProgress;
  /** How many of its turns were saved; null: none. */
  readonly cutTurns: number | null;
}

export function describeAgent({ name, thread_id }: AgentProgress): string {
  return `Sub-agent ${name} (thread ${thread_id})`;
}

function describeUse({ tokens, cost }: AgentProgress): string {
  return `${tokens} tokens${cost === null ? "" : `, $${cost.toFixed(4)}`}`;
}

/**
 * A message of the harness about sub-agents. `sub_agents_running`: those that run after a compaction, which makes the one before it useless.
 */
export function toAgentMessage(lines: readonly string[], fragment: "sub_agents" | "sub_agents_running"): MessageItem {
  const text = `<sub_agents>\n${lines.join("\n\n").replaceAll("</sub_agents>", "<\\/sub_agents>")}\n</sub_agents>`;
  const content = [{ type: "input_text", text: text.toWellFormed() } as const];
  return withAuthor({ type: "message", role: "developer", content }, { type: "harness", fragment });
}
