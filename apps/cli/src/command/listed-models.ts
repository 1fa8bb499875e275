import type { ModelInfo, ResolvedConfig } from "@unroll/config";

/** What `unroll models` shows. */
export interface ListedModels {
  readonly config: ResolvedConfig;
  /** The name of the one in use, as `models` has it; null: nobody named one. */
  readonly inUse: string | null;
  /** The one in use first, where it is none of the others. */
  readonly models: readonly ModelInfo[];
}
