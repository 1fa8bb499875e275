import type { CompactionSettings } from "../resolved-config.ts";
import { defaults } from "../schema/defaults.ts";
import { toCompactionLimit } from "../models/window-shares.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

/** What is known of the model, in tokens. */
interface ModelBounds {
  readonly contextWindow: number;
  /** 0: never; null: a share of the window. */
  readonly compactionLimit: number | null;
}

export function resolveCompaction(
  context: ResolveContext,
  { contextWindow, compactionLimit }: ModelBounds,
): CompactionSettings {
  const { table } = context;
  const ownLimit = table.model_auto_compact_token_limit ?? compactionLimit;
  const limit = ownLimit ?? toCompactionLimit(contextWindow);
  const file = table.experimental_compact_prompt_file;
  return {
    tokenLimit: limit === 0 ? null : limit,
    isOwnLimit: ownLimit !== null,
    scope: table.model_auto_compact_token_limit_scope ?? defaults.model_auto_compact_token_limit_scope,
    prompt: table.compact_prompt ?? null,
    promptFile: file === undefined ? null : resolvePath(context, "experimental_compact_prompt_file", file),
  };
}
