import { loadConfig, type ResolvedConfig } from "@unroll/config";
import type { McpApprovalMode } from "@unroll/protocol";
import type { AgentLimits } from "../law/agent-laws.ts";
import { type SimulatedPreset, simulatedPresets } from "../simulated-preset.ts";

/** The choices for a process's config. */
export interface ConfigChoice {
  readonly model: "gpt-5-codex" | "gpt-5";
  /** The models that continue a turn, in order. */
  readonly fallbacks: readonly ModelName[];
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
  /** Null: there are no sub-agents. */
  readonly agents: AgentLimits | null;
}

export const firstChoice: ConfigChoice = {
  model: "gpt-5-codex",
  fallbacks: [],
  shellTool: "shell_command",
  instructions: null,
  limit: null,
  maxSteps: null,
  maxTimeMs: null,
  maxTokens: null,
  maxCost: null,
  servers: 0,
  approvalPolicy: "never",
  mcpMode: "auto",
  mcpWriteMode: null,
  agents: null,
};

/** A program may start sub-agents where its models cannot. */
export const spawnLimits: AgentLimits = { maxThreads: 2, maxDepth: 1, maxTokens: 2_000_000 };

/** When approval is asked. */
export type ApprovalRules = Pick<ConfigChoice, "approvalPolicy" | "mcpMode" | "mcpWriteMode">;

/** A folder that nobody can make, not even root: nothing is read of the machine that simulates, or left on it. */
export const codexHome = "/sys/unroll-simulation/codex";
export const cwd = "/";

/** A provider of models, with the variable of its key. */
export interface SimulatedProvider {
  readonly id: "simulated" | "spare";
  readonly keyName: string;
  readonly baseUrl: string;
  readonly models: readonly ModelName[];
}

type ModelName = "gpt-5-codex" | "gpt-5" | "spare-model";

/** Threads begin at the first one; the second one is only for fallbacks. */
export const providers: readonly [SimulatedProvider, SimulatedProvider] = [
  {
    id: "simulated",
    keyName: "SIMULATED_KEY",
    baseUrl: "http://simulated.invalid/v1",
    models: ["gpt-5-codex", "gpt-5"],
  },
  { id: "spare", keyName: "SPARE_KEY", baseUrl: "http://spare.invalid/v1", models: ["spare-model"] },
];

/** The preset of each provider's server. */
export type Presets = Readonly<Record<SimulatedProvider["id"], SimulatedPreset>>;

/** Gives the config of a choice. Loaded once: a simulated process waits for no real disk. */
export async function loadConfigs(): Promise<(choice: ConfigChoice, presets: Presets) => ResolvedConfig> {
  const loaded = new Map<string, ResolvedConfig>();
  for (const provider of providers) {
    for (const model of provider.models) {
      for (const shellTool of ["shell_command", "exec_command"]) {
        for (const preset of simulatedPresets) {
          loaded.set(`${model} ${shellTool} ${preset}`, await load({ provider, model, shellTool, preset }));
        }
      }
    }
  }
  function toConfig(model: ModelName, choice: ConfigChoice, presets: Presets): ResolvedConfig {
    const { shellTool, instructions, limit, approvalPolicy, servers } = choice;
    const { maxSteps: maxTurns, maxTimeMs, maxTokens, maxCost } = choice;
    const preset = presets[model === "spare-model" ? "spare" : "simulated"];
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
      agents: { ...config.agents, enabled: choice.agents !== null, ...(choice.agents ?? spawnLimits) },
      budget: { ...config.budget, run: { maxTurns, maxTimeMs, maxTokens, maxCost } },
    };
  }
  return (choice, presets) => ({
    ...toConfig(choice.model, choice, presets),
    modelFallbacks: choice.fallbacks
      .filter((model) => model !== choice.model)
      .map((model) => toConfig(model, choice, presets)),
  });
}

/** The modes of the tools that have their own. */
export function toToolModes({
  mcpWriteMode,
}: Pick<ConfigChoice, "mcpWriteMode">): Readonly<Record<string, McpApprovalMode>> {
  return mcpWriteMode === null ? {} : { write0: mcpWriteMode };
}

async function load(choice: {
  readonly provider: SimulatedProvider;
  readonly model: string;
  readonly shellTool: string;
  readonly preset: SimulatedPreset;
}): Promise<ResolvedConfig> {
  const { provider } = choice;
  const ofProvider = {
    base_url: provider.baseUrl,
    env_key: provider.keyName,
    preset: choice.preset,
    supports_compaction: "false", // the servers of the simulation have no such path
    thread_headers: "hyphen", // the laws tell threads apart by them
  };
  const values = {
    ...Object.fromEntries(
      Object.entries(ofProvider).map(([key, value]) => [`model_providers.${provider.id}.${key}`, value]),
    ),
    model_provider: provider.id,
    model: choice.model,
    shell_tool: choice.shellTool,
    sandbox_mode: "danger-full-access",
    approval_policy: "never",
  };
  const overrides = Object.entries(values).map(([key, value]) => ({ key, value, origin: "-c" }));
  return loadConfig({ codexHome, cwd, env: {}, overrides, flags: {} });
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
