import { loadConfig, type ResolvedConfig } from "@unroll/config";
import type { McpApprovalMode } from "@unroll/protocol";
import { type SimulatedPreset, simulatedPresets } from "../simulated-preset.ts";

/** The choices for a process's config. */
export interface ConfigChoice {
  readonly model: "gpt-5-codex" | "gpt-5";
  readonly shellTool: "shell_command" | "exec_command";
  readonly instructions: string | null;
  /** The limit of automatic compaction, in tokens; null: off. */
  readonly limit: number | null;
  /** The limit for one run; null: no budget. */
  readonly maxSteps: number | null;
  readonly maxTimeMs: number | null;
  readonly maxTokens: number | null;
  /** In US dollars. */
  readonly maxCost: number | null;
  /** How many MCP servers there are. */
  readonly servers: number;
  readonly approvalPolicy: "never" | "on-request" | "untrusted";
  /** When MCP servers' tools are asked about, and `write0` of each; null: as the others. */
  readonly mcpMode: McpApprovalMode;
  readonly mcpWriteMode: McpApprovalMode | null;
}

/** When approval is asked. */
export type ApprovalRules = Pick<ConfigChoice, "approvalPolicy" | "mcpMode" | "mcpWriteMode">;

/** No such folders are anywhere: nothing is read of the machine that simulates. */
export const codexHome = "/unroll-simulation/codex";
export const cwd = "/";
export const keyName = "SIMULATED_KEY";

/** Gives the config of a choice. Loaded once: a simulated process waits for no real disk. */
export async function loadConfigs(
  secret: string,
): Promise<(choice: ConfigChoice, preset: SimulatedPreset) => ResolvedConfig> {
  const loaded = new Map<string, ResolvedConfig>();
  for (const model of ["gpt-5-codex", "gpt-5"]) {
    for (const shellTool of ["shell_command", "exec_command"]) {
      for (const preset of simulatedPresets) {
        loaded.set(`${model} ${shellTool} ${preset}`, await load({ model, shellTool, preset, secret }));
      }
    }
  }
  return ({ model, shellTool, instructions, limit, approvalPolicy, servers, ...choice }, preset) => {
    const { maxSteps: maxTurns, maxTimeMs, maxTokens, maxCost } = choice;
    const config = loaded.get(`${model} ${shellTool} ${preset}`);
    if (config === undefined) throw new Error(`There is no config of ${model}.`);
    return {
      ...config,
      approvalPolicy,
      mcpServers: mcpServers
        .slice(0, servers)
        .map((server) => ({ ...server, approvalMode: choice.mcpMode, toolApprovalModes: toToolModes(choice) })),
      developerInstructions: instructions,
      modelInstructionsFile: `/instructions/${model}.md`, // short: the laws hold for any
      compaction: { ...config.compaction, tokenLimit: limit },
      budget: { ...config.budget, run: { maxTurns, maxTimeMs, maxTokens, maxCost } },
    };
  };
}

/** The modes of the tools that have their own. */
export function toToolModes({
  mcpWriteMode,
}: Pick<ConfigChoice, "mcpWriteMode">): Readonly<Record<string, McpApprovalMode>> {
  return mcpWriteMode === null ? {} : { write0: mcpWriteMode };
}

async function load(choice: {
  readonly model: string;
  readonly shellTool: string;
  readonly preset: SimulatedPreset;
  readonly secret: string;
}): Promise<ResolvedConfig> {
  const values = {
    "model_providers.simulated.base_url": "http://simulated.invalid/v1",
    "model_providers.simulated.env_key": keyName,
    "model_providers.simulated.preset": choice.preset,
    "model_providers.simulated.supports_compaction": "false", // the server of the simulation has no such path
    model_provider: "simulated",
    model: choice.model,
    shell_tool: choice.shellTool,
    sandbox_mode: "danger-full-access",
    approval_policy: "never",
  };
  const overrides = Object.entries(values).map(([key, value]) => ({ key, value, origin: "-c" }));
  return loadConfig({ codexHome, cwd, env: { [keyName]: choice.secret }, overrides, flags: {} });
}

const mcpServers: ResolvedConfig["mcpServers"] = ["one", "two"].map((id) => ({
  type: "stdio",
  id,
  enabled: true,
  required: false,
  startupTimeoutMs: 10_000,
  toolTimeoutMs: 60_000,
  enabledTools: null,
  disabledTools: [],
  approvalMode: "auto",
  toolApprovalModes: {},
  command: "none",
  args: [],
  env: {},
  envVars: [],
  cwd: "/",
}));
