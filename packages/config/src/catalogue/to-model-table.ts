import type { ModelFamily } from "@unroll/protocol";
import type { ModelEntry } from "./parse-model-entry.ts";
import { findWindow } from "./listed-window.ts";
import type { ModelTable } from "../keys/config-table.ts";

/** What an entry says, in our words; null where it does not say whose it is. */
export function toModelTable(entry: ModelEntry): readonly [string, ModelTable] | null {
  const name = entry.slug ?? entry.id ?? entry.key ?? null;
  return name === null
    ? null
    : [name, withoutAbsent({ ...toBounds(entry), ...toCapabilities(entry), ...toTools(entry) })];
}

type Said = { readonly [Key in keyof ModelTable]: ModelTable[Key] | null | undefined };

function toBounds(entry: ModelEntry): Said {
  return {
    context_window: findWindow(entry) ?? entry.max_context_length,
    max_output_tokens: entry.max_output_tokens ?? entry.max_completion_tokens,
    auto_compact_token_limit: entry.auto_compact_token_limit,
    tool_output_token_limit:
      entry.tool_output_token_limit ??
      (entry.truncation_policy?.mode === "tokens" ? entry.truncation_policy.limit : undefined),
    price: entry.price,
  };
}

function toCapabilities(entry: ModelEntry): Said {
  const levels = entry.supported_reasoning_levels?.map((level) => (typeof level === "string" ? level : level.effort));
  return {
    efforts: entry.efforts ?? levels,
    default_effort: entry.default_effort ?? entry.default_reasoning_level,
    sent_effort: entry.sent_effort,
    sent_verbosity: entry.sent_verbosity ?? entry.default_verbosity,
    sent_reasoning_context: entry.sent_reasoning_context,
    supports_reasoning_summaries: entry.supports_reasoning_summaries,
    supports_verbosity: entry.supports_verbosity ?? entry.support_verbosity,
    supports_images: entry.supports_images ?? entry.input_modalities?.includes("image"),
    supports_parallel_tool_calls: entry.supports_parallel_tool_calls,
  };
}

const shellTools: Readonly<Record<string, ModelFamily["shellTool"]>> = {
  shell_command: "shell_command",
  local: "shell",
  default: "shell",
  unified_exec: "exec_command",
};

function toTools(entry: ModelEntry): Said {
  const { apply_patch_tool_type: patch, shell_type: shell } = entry;
  return {
    family: entry.family,
    provider: entry.provider,
    apply_patch_tool: entry.apply_patch_tool ?? (patch === "freeform" ? "custom" : patch ? "function" : undefined),
    shell_tool: entry.shell_tool ?? shellTools[shell ?? ""],
    instructions_file: entry.instructions_file,
    shutdown_date: entry.shutdown_date,
    hidden: entry.hidden ?? (entry.visibility ? entry.visibility !== "list" : undefined),
  };
}

function withoutAbsent(said: Said): ModelTable {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== null));
}
