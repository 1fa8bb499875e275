import type { AgentRoleOptions } from "@unroll/harness";
import type { AgentBounds } from "./law/agent-laws.ts";

/** The roles of the program, and what the laws know of each: bounds that a sub-agent keeps, whatever roles its thread has later. */
export const simulatedRoles: readonly [AgentRoleOptions, ...AgentRoleOptions[]] = [
  { name: "planner", description: "Plans.", tools: ["update_plan"] },
  { name: "reader", description: "Reads.", sandboxMode: "read-only" },
  {
    name: "asker",
    description: "Asks before each command.",
    approvalPolicy: "untrusted",
    withoutTools: ["update_plan"],
  },
  { name: "brief", description: "Is brief.", maxTurns: 2 },
];

/** The bounds of a task that names a role; null: none. */
export function boundTask(task: Pick<AgentBounds, "only" | "isReadOnly">, role: AgentRoleOptions | null): AgentBounds {
  const { only, isReadOnly } = task;
  const tools = role?.tools ?? null;
  return {
    only: only === null || tools === null ? (only ?? tools) : only.filter((name) => tools.includes(name)),
    without: role?.withoutTools ?? [],
    isReadOnly: isReadOnly || role?.sandboxMode === "read-only",
    isAsking: role?.approvalPolicy === "untrusted",
    maxSteps: role?.maxTurns ?? null,
  };
}
