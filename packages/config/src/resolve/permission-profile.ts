import { isAbsolute, join } from "node:path";
import { isInside } from "@unroll/files";
import type { SandboxMode, SandboxSettings } from "@unroll/protocol";
import { isPattern } from "../check/check-hidden-paths.ts";
import { ConfigError, type Origin } from "../config-error.ts";
import { expandHome } from "./resolve-context.ts";
import type { PermissionTable } from "../keys/config-table.ts";
import type { AccessRules, PathAccess } from "../keys/kinds.ts";
import type { PermissionProfiles } from "../resolved-config.ts";
import { formatKey, isTable, type KeyPath, mergeTables } from "../toml/table.ts";

/** The built-in profiles, by the names that the Codex CLI (0.169) gives them. */
export const builtInProfiles: Readonly<Record<string, SandboxMode>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access",
};

/** The place and the sources of a profile. */
export interface ProfileUse {
  /** The working folder; absolute. */
  readonly cwd: string;
  /** For messages: where each key was set. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The key or option that named the profile. */
  readonly origin?: Origin;
}

/**
 * The sandbox settings that a profile stands for in a working folder. Throws `ConfigError`: `profile_unknown` for
 * an unknown name, `value_invalid` for a rule that the sandbox cannot keep exactly.
 */
export function resolveProfile(name: string, profiles: PermissionProfiles, use: ProfileUse): SandboxSettings {
  const mode = Object.hasOwn(builtInProfiles, name) ? builtInProfiles[name] : undefined;
  if (mode !== undefined) return { ...profiles.base, mode };
  return toSettings(readRules(inherit([name], profiles, use), { ...use, name, profiles }), profiles);
}

/** The table with those of its parents below it. `names`: the profile, and those that led to it. */
function inherit(
  names: readonly string[],
  profiles: PermissionProfiles,
  use: ProfileUse,
): Omit<PermissionTable, "extends"> {
  const name = names.at(-1) ?? "";
  const table = Object.hasOwn(profiles.tables, name) ? profiles.tables[name] : undefined;
  if (table === undefined) throw new ConfigError(describeUnknown(name, profiles, use));
  const { extends: parent, ...own } = table;
  if (parent === undefined) return own;
  const refuse = (words: string): never => refuseRule({ ...use, name, profiles }, ["extends"], words);
  if (parent === ":danger-full-access") refuse(`cannot be ":danger-full-access": it has no rules to add to`);
  if (names.includes(parent)) refuse(`is a circle: ${[...names, parent].join(", ")}`);
  const below = Object.hasOwn(extendable, parent) ? extendable[parent] : inherit([...names, parent], profiles, use);
  return mergeTables<Omit<PermissionTable, "extends">>(below ?? {}, own);
}

/** The built-in profiles as rules. `.git`, `.agents` and `.codex` are protected in every writable folder. */
const extendable: Readonly<Record<string, PermissionTable>> = {
  ":read-only": { filesystem: { ":root": "read" } },
  ":workspace": {
    filesystem: {
      ":root": "read",
      ":workspace_roots": { ".": "write" },
      ":slash_tmp": "write",
      ":tmpdir": "write",
    },
  },
};

function describeUnknown(
  name: string,
  { tables }: PermissionProfiles,
  { origin }: ProfileUse,
): ConstructorParameters<typeof ConfigError>[0] {
  const names = [...Object.keys(builtInProfiles), ...Object.keys(tables)].map((known) => JSON.stringify(known));
  const add = name.startsWith(":") ? "" : `, or add [${formatKey(["permissions", name])}] to config.toml`;
  const message = `there is no permission profile ${JSON.stringify(name)}: use ${names.join(" or ")}${add}.`;
  return { code: "profile_unknown", message, key: "default_permissions", origin };
}

/** The rules of one profile, sorted. Paths are absolute. */
interface Rules {
  readonly written: string[];
  readonly readable: string[];
  readonly denied: string[];
  readsAll: boolean;
  readonly workspace: PathAccess | null;
  readonly temporary: { slash: boolean; own: boolean };
  git: SandboxSettings["git"] | null;
  readonly network: boolean;
}

interface ProfilePlace extends ProfileUse {
  readonly name: string;
  readonly profiles: PermissionProfiles;
}

function readRules(table: Omit<PermissionTable, "extends">, place: ProfilePlace): Rules {
  const { filesystem = {}, workspace_roots: workspaceRoots = {}, network = {} } = table;
  const roots = [
    place.cwd,
    ...Object.entries(workspaceRoots).flatMap(([path, isOn]) => {
      return isOn ? [toPath(path, place, ["workspace_roots", path])] : [];
    }),
  ];
  const scoped = filesystem[":workspace_roots"];
  const workspace = (isTable(scoped) ? (scoped["."] ?? null) : typeof scoped === "string" ? scoped : null) ?? null;
  const rules: Rules = {
    written: workspace === "write" ? roots.slice(1) : [],
    readable: [],
    denied: [],
    readsAll: false,
    workspace,
    temporary: { slash: false, own: false },
    git: null,
    network: readNetwork(network, place),
  };
  for (const [path, access] of Object.entries(filesystem)) readRule({ path, access, roots }, rules, place);
  checkRules(rules, roots, place);
  return rules;
}

interface FileRule {
  readonly path: string;
  readonly access: AccessRules[string];
  readonly roots: readonly string[];
}

function readRule({ path, access, roots }: FileRule, rules: Rules, place: ProfilePlace): void {
  const key = ["filesystem", path];
  if (typeof access === "number") return; // glob_scan_max_depth: there are no patterns here
  const refuse = (words: string): never => refuseRule(place, key, words);
  const isDenied = access === "deny" || access === "none";
  switch (path) {
    case ":root":
      if (access !== "read") refuse(`can only be "read"`);
      rules.readsAll = true;
      return;
    case ":minimal":
      if (access !== "read") refuse(`can only be "read"`);
      return;
    case ":slash_tmp":
    case ":tmpdir":
      if (isDenied || typeof access !== "string") refuse(`can only be "read" or "write"`);
      rules.temporary[path === ":tmpdir" ? "own" : "slash"] = access === "write";
      return;
    case ":workspace_roots": {
      if (isDenied) refuse("hides the working folder");
      if (typeof access !== "string") readBelow(access, roots, { rules, place, key });
      return;
    }
  }
  if (path.startsWith(":")) refuse("is not a path that unroll knows");
  if (typeof access !== "string") {
    for (const [below, each] of Object.entries(access)) {
      addPath(join(toPath(path, place, key), toBelow(below, place, [...key, below])), each, rules);
    }
    return;
  }
  addPath(toPath(path, place, key), access, rules);
}

interface Below {
  readonly rules: Rules;
  readonly place: ProfilePlace;
  readonly key: KeyPath;
}

/** Rules for paths in each workspace root. */
function readBelow(
  table: Readonly<Record<string, PathAccess>>,
  roots: readonly string[],
  { rules, place, key }: Below,
): void {
  for (const [below, access] of Object.entries(table)) {
    const at = [...key, below];
    if (below === ".") {
      if (access === "deny" || access === "none") refuseRule(place, at, "hides the working folder");
    } else if (below === ".git" && access !== "deny" && access !== "none") {
      rules.git = access === "read" ? "protected" : "writable";
    } else if ((below === ".agents" || below === ".codex") && access === "write") {
      refuseRule(place, at, `cannot be "write": unroll always protects this folder`);
    } else if (below !== ".agents" && below !== ".codex") {
      for (const root of roots) addPath(join(root, toBelow(below, place, at)), access, rules);
    } else if (access !== "read") {
      for (const root of roots) addPath(join(root, below), access, rules);
    }
  }
}

function addPath(path: string, access: PathAccess, { written, readable, denied }: Rules): void {
  (access === "write" ? written : access === "read" ? readable : denied).push(path);
}

/** Refuses rules that the sandbox would not keep: those with exceptions, in either direction. */
function checkRules(
  { written, readable, denied, ...rules }: Rules,
  roots: readonly string[],
  place: ProfilePlace,
): void {
  const refuse = (words: string): never => refuseRule(place, ["filesystem"], words);
  if (!rules.readsAll) refuse(`does not have ":root" = "read": unroll can deny paths, but not allow reading only some`);
  const isWritable = rules.workspace === "write";
  const writes = written.length > 0 || rules.temporary.slash || rules.temporary.own;
  if (writes && !isWritable)
    refuse(`lets commands write, but not in ":workspace_roots": unroll cannot protect the working folder alone`);
  const hidden = roots.find((root) => denied.some((path) => isInside(root, path)));
  if (hidden !== undefined) refuse(`hides the working folder ${hidden}`);
  const lost = [...written, ...readable].find((path) => denied.some((each) => isInside(path, each)));
  if (lost !== undefined) refuse(`allows ${lost} in a folder that it denies`);
  if (rules.network && !isWritable)
    refuseRule(place, ["network", "enabled"], "cannot be true: without writing, unroll always closes the network");
  if (!isWritable) return;
  const open = [...roots, ...written, ...(rules.temporary.slash ? ["/tmp"] : [])];
  const held = readable.find((path) => open.some((each) => isInside(path, each)));
  if (held !== undefined) refuse(`makes ${held} read-only in a folder that commands can write`);
}

function readNetwork(network: Readonly<Record<string, unknown>>, place: ProfilePlace): boolean {
  const { enabled = false, ...others } = network;
  if (typeof enabled !== "boolean") refuseRule(place, ["network", "enabled"], "must be true or false");
  const [first] = Object.keys(others);
  if (enabled === true && first !== undefined)
    refuseRule(place, ["network", first], "cannot be kept: unroll can only open the network or close it");
  return enabled === true;
}

function toSettings(rules: Rules, { base, addedRoots, addedHosts }: PermissionProfiles): SandboxSettings {
  const { hosts: _, ...settings } = base;
  return {
    ...settings,
    ...(addedHosts.length > 0 && { hosts: { allow: addedHosts, deny: [] } }),
    mode: rules.workspace === "write" ? "workspace-write" : "read-only",
    networkAccess: rules.network,
    writableRoots: [...new Set([...rules.written, ...addedRoots])],
    excludeSlashTmp: !rules.temporary.slash,
    excludeTmpdirEnvVar: !rules.temporary.own,
    git: rules.git ?? base.git,
    denyRead: [...new Set([...base.denyRead, ...rules.denied])],
  };
}

/** An absolute path; `/**` behind it stands for all that is in it. */
function toPath(text: string, place: ProfilePlace, key: KeyPath): string {
  const whole = expandHome(text.replace(/\/\*\*$/, ""), place.profiles.home);
  if (!isAbsolute(whole)) refuseRule(place, key, "must be absolute or begin with ~/ or :");
  if (isPattern(whole)) refuseRule(place, key, "is a pattern: unroll takes paths, so name the folder around it");
  return whole;
}

/** The same for a path below another one. */
function toBelow(text: string, place: ProfilePlace, key: KeyPath): string {
  const path = text.replace(/\/\*\*$/, "");
  if (isAbsolute(path) || path.split("/").includes("..")) refuseRule(place, key, "must be a path below the folder");
  if (/[*?[]/.test(path)) refuseRule(place, key, "is a pattern: unroll takes paths, so name the folder around it");
  return path;
}

function refuseRule({ name, origins }: ProfilePlace, below: KeyPath, words: string): never {
  const key = formatKey(["permissions", name, ...below]);
  const origin = origins.get(key);
  throw new ConfigError({ code: "value_invalid", message: `${key} ${words}.`, key, origin });
}
