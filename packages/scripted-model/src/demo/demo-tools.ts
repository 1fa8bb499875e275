import { isJsonObject } from "../json.ts";
import type { TurnItem } from "../script/turn.ts";

export interface PlanStep {
  readonly step: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** How the demo asks for things with the tools that a request has; a tool that is not there is absent. */
export interface DemoTools {
  readonly run?: (command: string) => TurnItem;
  readonly patch?: (patch: string) => TurnItem;
  readonly plan?: (steps: readonly PlanStep[]) => TurnItem;
}

const commandTools: Readonly<Record<string, (command: string) => unknown>> = {
  shell_command: (command) => ({ command }),
  exec_command: (command) => ({ cmd: command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

/** Finds the tools that the demo can use among those of a request. */
export function findTools(tools: unknown): DemoTools {
  const types = new Map(
    (Array.isArray(tools) ? tools.filter(isJsonObject) : []).map((tool) => [String(tool["name"]), tool["type"]]),
  );
  const shell = Object.entries(commandTools).find(([name]) => types.has(name));
  return {
    ...(shell ? { run: (command) => ({ call: shell[0], arguments: shell[1](command) }) } : {}),
    ...(types.has("apply_patch") ? { patch: applyPatchWith(types.get("apply_patch")) } : {}),
    ...(types.has("update_plan") ? { plan: (steps) => ({ call: "update_plan", arguments: { plan: steps } }) } : {}),
  };
}

/** The freeform tool takes the patch itself, the function tool takes it in a field. */
function applyPatchWith(type: unknown): (patch: string) => TurnItem {
  if (type === "custom") return (patch) => ({ custom: "apply_patch", input: patch });
  return (patch) => ({ call: "apply_patch", arguments: { input: patch } });
}
