import { isJsonObject, type JsonObject } from "../json.ts";
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
  /** The first function of a program that brings tools of its own and none of a harness. */
  readonly foreign?: ForeignTool;
}

/** A function that the demo knows only by its schema. */
export interface ForeignTool {
  readonly name: string;
  readonly parameters: unknown;
}

const commandTools: Readonly<Record<string, (command: string) => unknown>> = {
  shell_command: (command) => ({ command }),
  exec_command: (command) => ({ cmd: command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

/** Finds the tools that the demo can use among those of a request, which may name one, or none, as its choice. */
export function findTools(tools: unknown, choice: unknown): DemoTools {
  const list = Array.isArray(tools) && choice !== "none" ? tools.filter(isJsonObject) : [];
  const types = new Map(list.map((tool) => [String(tool["name"]), tool["type"]]));
  const shell = Object.entries(commandTools).find(([name]) => types.has(name));
  const foreign = shell || types.has("apply_patch") || types.has("update_plan") ? null : findForeign(list, choice);
  return {
    ...(foreign ? { foreign } : {}),
    ...(shell ? { run: (command) => ({ call: shell[0], arguments: shell[1](command) }) } : {}),
    ...(types.has("apply_patch") ? { patch: applyPatchWith(types.get("apply_patch")) } : {}),
    ...(types.has("update_plan") ? { plan: (steps) => ({ call: "update_plan", arguments: { plan: steps } }) } : {}),
  };
}

function findForeign(tools: readonly JsonObject[], choice: unknown): ForeignTool | null {
  const wanted = isJsonObject(choice) ? choice["name"] : undefined;
  const tool = tools.find(({ type, name }) => type === "function" && (wanted === undefined || name === wanted));
  return tool ? { name: String(tool["name"]), parameters: tool["parameters"] } : null;
}

/** The freeform tool takes the patch itself, the function tool takes it in a field. */
function applyPatchWith(type: unknown): (patch: string) => TurnItem {
  if (type === "custom") return (patch) => ({ custom: "apply_patch", input: patch });
  return (patch) => ({ call: "apply_patch", arguments: { input: patch } });
}
