import type { ModelInfo, ResolvedConfig } from "@unroll/config";

/** What `unroll models` shows. */
export interface ListedModels {
  readonly config: ResolvedConfig;
  /** The name of the one in use, as `models` has it. */
  readonly inUse: string;
  /** The one in use first, where it is none of the others. */
  readonly models: readonly ModelInfo[];
}
