import type { ParsedFlags } from "../config-sources.ts";
import { findBuiltInProvider } from "../providers/built-in-providers.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import { defaults } from "../schema/defaults.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** What the other layers say. */
export interface LocalContext {
  readonly all: ConfigTable;
  /** Of the command line alone. */
  readonly typed: ConfigTable;
}

/**
 * `--oss` and `--local-provider`: a provider on this machine, and its standard model where the command line names none and the
 * other layers name one for another provider.
 */
export function createLocalLayer({ localProvider }: ParsedFlags, { all, typed }: LocalContext): ConfigLayer {
  const id = localProvider ?? all.oss_provider ?? defaults.oss_provider;
  const keepsModel = typed.model !== undefined || (all.model !== undefined && all.model_provider === id);
  const model = keepsModel ? undefined : findBuiltInProvider(id)?.local?.standardModel;
  return {
    table: { model_provider: id, ...(model === undefined ? {} : { model }) },
    locate: () => ({ type: "argument", name: localProvider === undefined ? "--oss" : "--local-provider" }),
    warnings: [],
  };
}
