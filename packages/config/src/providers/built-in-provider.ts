import type { ProviderTable } from "../schema/config-table.ts";

/** A provider that needs no `[model_providers.ID]`; where there is one, it changes single keys. */
export interface BuiltInProvider {
  readonly id: string;
  readonly table: ProviderTable;
  /** The environment variable that moves its `base_url`. */
  readonly baseUrlVariable: string;
}
