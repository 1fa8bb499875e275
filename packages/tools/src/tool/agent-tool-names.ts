/** `spawn`: the names that models of the Codex CLI are trained on (0.169, `multi_agent_v2`). */
export type AgentToolStyle = "agent" | "spawn";

/** The names of the tools, by style: start, wait, send, stop. */
export const agentToolNames: Readonly<Record<AgentToolStyle, readonly [string, string, string, string]>> = {
  agent: ["agent", "agent_wait", "agent_send", "agent_stop"],
  spawn: ["spawn_agent", "wait_agent", "send_message", "interrupt_agent"],
};
