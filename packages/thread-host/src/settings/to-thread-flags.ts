import { parseKey, type ResolvedConfig } from "@unroll/config";
import { type ProgramFlags, toOverride } from "@unroll/program";
import type { RequestedSettings } from "./requested-settings.ts";

/** The requested settings as flags. `base`: the flags of the program itself. */
export function toThreadFlags(asked: RequestedSettings, base: ProgramFlags): ProgramFlags {
  const { model, profile, cwd, sandbox, permissions, approvalPolicy, addDirs } = asked;
  const { config = [], ...flags } = choosesSandbox(asked) ? withoutSandbox(base) : base;
  return {
    ...flags,
    config: [...config, ...listOverrides(asked)],
    ...(model ? { model } : {}),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cd: cwd } : {}),
    ...(addDirs?.length ? { addDir: [...(base.addDir ?? []), ...addDirs] } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(permissions ? { permissions } : {}),
    ...(approvalPolicy ? { askForApproval: approvalPolicy } : {}),
  };
}

const sandboxKeys: readonly string[] = ["sandbox_mode", "default_permissions"];

function choosesSandbox({ sandbox, permissions, config }: RequestedSettings): boolean {
  return (
    Boolean(sandbox || permissions) ||
    Object.entries(config ?? {}).some(([key, value]) => (value ?? null) !== null && isSandboxKey(key))
  );
}

/**
 * The config with the permissions marked that are the server's own, and not what a client asks for with a thread: a
 * saved thread is not widened by them.
 */
export function markServers(config: ResolvedConfig, asked: RequestedSettings): ResolvedConfig {
  const named = Object.keys(asked.config ?? {}).map(findTopKey);
  const isAsked = (key: string): boolean =>
    key === "approval_policy"
      ? Boolean(asked.approvalPolicy) || named.includes(key)
      : choosesSandbox(asked) || named.includes(findTopKey(key));
  const origins = [...config.origins].map(([key, origin]): readonly [string, typeof origin] => {
    const isServers = origin.type === "argument" && permissionKey.test(key) && !isAsked(key);
    return [key, isServers ? { ...origin, isOfServer: true } : origin];
  });
  return { ...config, origins: new Map(origins) };
}

const permissionKey = /^(?:approval_policy|default_permissions|sandbox_mode|sandbox_workspace_write\..*)$/;

/** The flags without the sandbox that the program was started with: the thread has its own. */
function withoutSandbox({ sandbox: _sandbox, fullAuto: _fullAuto, ...flags }: ProgramFlags): ProgramFlags {
  const config = flags.config?.filter((text) => !isSandboxKey(toOverride(text).key));
  return { ...flags, ...(config && { config }) };
}

function isSandboxKey(key: string): boolean {
  return sandboxKeys.includes(findTopKey(key));
}

/** The first part of a key, however it is quoted; empty if it is not a key. */
export function findTopKey(key: string): string {
  return parseKey(key)?.[0] ?? "";
}

/** Flags of `-c`, which take one key each. */
function listOverrides({ config, modelProvider, developerInstructions }: RequestedSettings): readonly string[] {
  const own = { model_provider: modelProvider || null, developer_instructions: developerInstructions || null };
  const values = Object.entries({ ...config }).flatMap(([key, value]) => listConfigValues(key, value));
  const named = Object.entries(own).flatMap(([key, value]) => listConfigValues(key, value));
  return [...values, ...named].map(({ key, value }) => `${key}=${value}`);
}

/** One key of the config and its value as TOML. */
export interface ConfigValue {
  readonly key: string;
  readonly value: string;
}

/** A config key with its value, one row a key: a table is its members. Null and undefined give none. */
export function listConfigValues(key: string, value: unknown): readonly ConfigValue[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object" || Array.isArray(value)) return [{ key, value: toToml(value) }];
  return Object.entries(value).flatMap(([name, member]) =>
    listConfigValues(`${key}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`, member),
  );
}

/** One value on one line. Strings, numbers, booleans and lists of them are the same in JSON and TOML. */
function toToml(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${toToml(member)}`);
  return `{ ${members.join(", ")} }`;
}
