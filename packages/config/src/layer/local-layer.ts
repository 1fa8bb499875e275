import type { ParsedFlags } from "../config-sources.ts";
import { findBuiltInProvider } from "../providers/built-in-providers.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import { modelKeys } from "../keys/model-keys.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** What the other layers say. */
export interface LocalContext {
  readonly all: ConfigTable;
  /** Of the command line alone. */
  readonly typed: ConfigTable;
}

export interface LocalLayer extends ConfigLayer {
  /** The other layers name a model of another provider, and this one has none to put over it. */
  readonly dropsModel: boolean;
}

/**
 * `--oss` and `--local-provider`: a provider on this machine, and its standard model where the command line names none and the
 * other layers name one for another provider.
 */
export function createLocalLayer({ localProvider }: ParsedFlags, { all, typed }: LocalContext): LocalLayer {
  const id = localProvider ?? all.oss_provider ?? modelKeys.keys.oss_provider.default;
  const keepsModel = typed.model !== undefined || (all.model !== undefined && all.model_provider === id);
  const local = findBuiltInProvider(id)?.local ?? null;
  const standardModel = local !== null && "standardModel" in local ? local.standardModel : null;
  const model = keepsModel ? null : standardModel;
  return {
    table: { model_provider: id, ...(model === null ? {} : { model }) },
    dropsModel: !keepsModel && model === null,
    locate: () => ({ type: "argument", name: localProvider === undefined ? "--oss" : "--local-provider" }),
    warnings: [],
  };
}
