import { toProfilePath, toSettingsPath } from "./settings-path.ts";

interface DeprecatedKey {
  /** The key to write today. */
  readonly now: readonly string[];
  /** What a value of the old key comes to in the new one; undefined: nothing, it says what is so anyway. */
  readonly convert: (value: unknown) => unknown;
}

/** Where an old key stands today, and what its value means there. */
export interface ReplacedKey {
  readonly path: readonly string[];
  readonly value: unknown;
}

const keep = (value: unknown): unknown => value;
/** What is no switch is kept, and told as a wrong value of the new key. */
const toSearchMode = (value: unknown): unknown =>
  typeof value === "boolean" ? (value ? "live" : "disabled") : typeof value === "object" ? "live" : value;
const toShellTool = (value: unknown): unknown => (value === true ? "exec_command" : undefined);

/** Old keys of the reference that still mean something here. */
const deprecatedKeys: Readonly<Record<string, DeprecatedKey>> = {
  experimental_instructions_file: { now: ["model_instructions_file"], convert: keep },
  experimental_use_unified_exec_tool: { now: ["shell_tool"], convert: toShellTool },
  "tools.web_search": { now: ["web_search"], convert: toSearchMode },
  "tools.web_search_request": { now: ["web_search"], convert: toSearchMode },
  "features.web_search": { now: ["web_search"], convert: toSearchMode },
  "features.web_search_request": { now: ["web_search"], convert: toSearchMode },
  "features.unified_exec": { now: ["shell_tool"], convert: toShellTool },
};

/** All old keys, dotted. */
export const deprecatedNames: readonly string[] = Object.keys(deprecatedKeys);

/** Null for a key that is not an old one. */
export function replaceDeprecatedKey(path: readonly string[], value: unknown): ReplacedKey | null {
  const found = deprecatedKeys[toSettingsPath(path).join(".")];
  return found === undefined ? null : { path: [...toProfilePath(path), ...found.now], value: found.convert(value) };
}
