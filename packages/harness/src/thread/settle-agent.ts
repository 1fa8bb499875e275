import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { applyChange, findSmallModel, type ResolvedConfig } from "@unroll/config";
import type { ThreadRole } from "@unroll/protocol";
import type { AgentTask } from "@unroll/tools";
import type { ThreadBase } from "../base/thread-base.ts";
import { HarnessError } from "../harness-error.ts";
import { settleChange } from "../settings/settle-change.ts";
import type { ThreadRequest } from "./settle-thread.ts";

/** The settings that a sub-agent has of its own. */
export interface AgentSettings extends Pick<AgentTask, "model" | "effort" | "folder" | "sandbox"> {
  /** Null: it has none, or one that says nothing of it. */
  readonly role: ThreadRole | null;
}

/** The thread that starts the sub-agent. */
interface Starter {
  readonly base: ThreadBase;
  readonly request: ThreadRequest;
}

/** The config of a sub-agent: that of its parent, with settings of its own. Throws the reason why it can have none. */
export async function settleAgent(
  { model, effort, folder, sandbox, role }: AgentSettings,
  starter: Starter,
): Promise<ResolvedConfig> {
  const config = await loadModel(model, starter);
  const approvalPolicy = role?.approvalPolicy ?? null;
  // the disk of another machine is not this one's
  if (folder !== null && starter.base.shared.executor === null) await checkFolder(resolve(config.cwd, folder));
  const change = {
    ...(folder !== null && { cwd: folder }),
    ...(sandbox !== null && { sandboxMode: sandbox }),
    ...(approvalPolicy !== null && { approvalPolicy }),
    ...(effort !== null && { reasoningEffort: effort }),
  };
  return applyChange(config, settleChange(change, config));
}

async function loadModel(model: string | null, starter: Starter): Promise<ResolvedConfig> {
  const { base, request } = starter;
  const { config } = base.settings;
  if (model === "small") return loadModel(findSmall(config), starter).catch(() => config);
  if (model === null || model === config.model) return config;
  const { loadAgentModel } = request.options;
  if (loadAgentModel !== undefined) return loadAgentModel({ model, provider: config.provider.id }, config);
  return base.shared.settleConfig("agent", { model });
}

function findSmall({ agents, catalogue, model, provider }: ResolvedConfig): string | null {
  return agents.smallModel ?? findSmallModel(catalogue, model, provider.id);
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new HarnessError("invalid_options", `There is no folder ${path}.`);
}
