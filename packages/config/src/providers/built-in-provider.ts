import type { LocalServer } from "./provider-config.ts";
import type { ProviderTable } from "../keys/config-table.ts";

/** A provider that needs no `[model_providers.ID]`; where there is one, it changes single keys. */
export interface BuiltInProvider {
  readonly id: string;
  readonly table: ProviderTable;
  /** The environment variable that moves its `base_url`. */
  readonly baseUrlVariable: string;
  /** Another that moves its port alone, on this machine; null: there is none. */
  readonly portVariable: string | null;
  /** The program that serves it on this machine, which can be asked how it is; null: it is a service. */
  readonly local: LocalServer | null;
  /** How a `base_url` looks where there is none to begin with; null: there is one. */
  readonly exampleUrl: string | null;
}
