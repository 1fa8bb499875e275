import type { SandboxMode } from "@unroll/protocol";
import { ConfigError, type Origin } from "../config-error.ts";
import type { ConfigLayer } from "../layer/config-layer.ts";
import { builtInProfiles } from "./permission-profile.ts";

/** A permission profile that a layer selects. */
interface SelectedProfile {
  readonly name: string;
  readonly origin: Origin;
}

/**
 * The profile that decides on the sandbox; null: `sandbox_mode` does. The highest layer that sets one of the two keys
 * counts; all of the command line is one layer. Throws `ConfigError` (`value_invalid`) if that layer sets both and
 * they contradict each other.
 */
export function selectPermissions(layers: readonly ConfigLayer[]): SelectedProfile | null {
  const choices = layers.flatMap(listChoices);
  const typed = choices.filter(({ origin }) => origin.type === "argument");
  const level = typed.length > 0 ? typed : choices.slice(-1);
  const [selected = null] = level.flatMap(({ name, origin }) => (name === null ? [] : [{ name, origin }])).slice(-1);
  const mode = level.findLast((choice) => choice.mode !== null)?.mode ?? null;
  if (selected === null || mode === null || builtInProfiles[selected.name] === mode) return selected;
  const message = `default_permissions = ${JSON.stringify(selected.name)} and sandbox_mode = ${JSON.stringify(mode)} contradict each other: remove one of them.`;
  throw new ConfigError({ code: "value_invalid", message, key: "default_permissions", origin: selected.origin });
}

/** The sandbox choice of one layer. */
interface Choice {
  readonly name: string | null;
  readonly mode: SandboxMode | null;
  readonly origin: Origin;
}

function listChoices(layer: ConfigLayer): readonly Choice[] {
  const { default_permissions: name = null, sandbox_mode: mode = null } = layer.table;
  if (name === null && mode === null) return [];
  return [{ name, mode, origin: layer.locate([name === null ? "sandbox_mode" : "default_permissions"]) }];
}
