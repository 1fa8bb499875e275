/** Our tools that run commands. */
const commands: readonly string[] = ["shell_command", "shell", "exec_command", "write_stdin"];
const trained: readonly string[] = ["spawn_agent", "wait_agent", "send_message", "interrupt_agent"];
const agents: readonly string[] = [...trained, "agent", "agent_wait", "agent_send", "agent_stop"];

/** A tool that a role lists. */
export interface RoleTool {
  readonly reach: "commands" | "edits" | "reads";
  /** Our tools that do its work; empty: there is none. */
  readonly tools: readonly string[];
}

const read: RoleTool = { reach: "reads", tools: [...commands, "view_image"] };
const run: RoleTool = { reach: "commands", tools: commands };
const edit: RoleTool = { reach: "edits", tools: ["apply_patch"] };
const start: RoleTool = { reach: "reads", tools: agents };
const none: RoleTool = { reach: "reads", tools: [] };

/** The tools of Claude Code, as its page on sub-agents names them (2026-11). We read files by commands. */
const claudeTools: Readonly<Record<string, RoleTool>> = {
  Read: read,
  Grep: read,
  Glob: read,
  LS: read,
  NotebookRead: read,
  Bash: run,
  BashOutput: run,
  KillBash: run,
  KillShell: run,
  Edit: edit,
  MultiEdit: edit,
  Write: edit,
  NotebookEdit: edit,
  WebSearch: { reach: "reads", tools: ["web_search"] },
  TodoWrite: { reach: "reads", tools: ["update_plan"] },
  AskUserQuestion: { reach: "reads", tools: ["request_user_input"] },
  Task: start,
  Agent: start,
  WebFetch: none,
  Skill: none,
  ToolSearch: none,
  ExitPlanMode: none,
};

const ownTools: readonly string[] = [...agents, "update_plan", "view_image", "request_user_input", "web_search"];

/** Null: nobody knows the tool. */
export function findRoleTool(name: string): RoleTool | null {
  if (Object.hasOwn(claudeTools, name)) return claudeTools[name] ?? null;
  if (commands.includes(name)) return { reach: "commands", tools: [name] };
  if (name === "apply_patch") return edit;
  const isKnown = ownTools.includes(name) || /^mcp__[^_].*__[^_]/u.test(name);
  return isKnown ? { reach: "reads", tools: [name] } : null;
}
