import type { ProgramFlags } from "@unroll/program";
import type { RequestedSettings } from "./requested-settings.ts";

/** What a program asks of a thread, as the command line would say it. `base`: what the front end itself was started with. */
export function toThreadFlags(asked: RequestedSettings, base: ProgramFlags): ProgramFlags {
  const { model, profile, cwd, sandbox, approvalPolicy, addDirs } = asked;
  return {
    ...base,
    config: [...(base.config ?? []), ...listOverrides(asked)],
    ...(model ? { model } : {}),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cd: cwd } : {}),
    ...(addDirs?.length ? { addDir: [...(base.addDir ?? []), ...addDirs] } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(approvalPolicy ? { askForApproval: approvalPolicy } : {}),
  };
}

function listOverrides({ config, modelProvider, developerInstructions }: RequestedSettings): readonly string[] {
  return [
    ...Object.entries(config ?? {}).flatMap(([key, value]) => toConfigFlags(key, value)),
    ...(modelProvider ? toConfigFlags("model_provider", modelProvider) : []),
    ...(developerInstructions ? toConfigFlags("developer_instructions", developerInstructions) : []),
  ];
}

/**
 * A config key with its value as flags of `-c`, which take one key each: a table is told by its members. Null and undefined say
 * nothing.
 */
export function toConfigFlags(key: string, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object" || Array.isArray(value)) return [`${key}=${toToml(value)}`];
  return Object.entries(value).flatMap(([name, member]) =>
    toConfigFlags(`${key}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`, member),
  );
}

/** One value on one line. What JSON writes of a text, a number, a truth value and lists of them is TOML, too. */
function toToml(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${toToml(member)}`);
  return `{ ${members.join(", ")} }`;
}
