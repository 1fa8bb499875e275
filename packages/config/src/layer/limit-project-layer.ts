import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isInside, resolveIfAny } from "@unroll/files";
import type { McpApprovalMode } from "@unroll/protocol";
import { type ConfigWarning, formatOrigin, type Origin } from "../config-error.ts";
import { listUsersPaths } from "../keys/config-schema.ts";
import type { ConfigTable, McpServerTable } from "../keys/config-table.ts";
import { formatKey, type KeyPath, valueAt, withoutValues } from "../toml/table.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** The limits of a project's layer. */
interface ProjectLimits {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The user's own files, profile and options, combined. */
  readonly user: ConfigTable;
  /** The user's `config.toml`. */
  readonly userFile: string;
}

/** A key that a project's layer may not set. */
interface IgnoredKey {
  readonly path: KeyPath;
  /** The end of the warning, without its full stop. */
  readonly reason: string;
}

/** A project's layer without the keys that a project may not set. Each one becomes a warning (`key_ignored_in_project`). */
export function limitProjectLayer(layer: ConfigLayer, limits: ProjectLimits): ConfigLayer {
  const lists = [
    listUsersKeys,
    listUsersProfiles,
    listServerKeys,
    listLooserKeys,
    listLooserVariables,
    listForeignFiles,
  ];
  const ignored = lists.flatMap((list) => list(layer, limits));
  const warnings = ignored.map(({ path, reason }): ConfigWarning => {
    const [key, origin] = [formatKey(path), layer.locate(path)];
    const message = `${formatOrigin(origin)}: ${key} is ignored in a project's config: ${reason}.`;
    return { code: "key_ignored_in_project", message, key, origin };
  });
  const paths = ignored.map(({ path }) => path);
  return { ...layer, table: withoutValues(layer.table, paths), warnings: [...layer.warnings, ...warnings] };
}

function listUsersKeys({ table }: ConfigLayer, { userFile }: ProjectLimits): readonly IgnoredKey[] {
  const isSet = (path: KeyPath): boolean => valueAt(table, path) !== undefined;
  const own = Object.keys(table).flatMap((top) => listUsersPaths().filter((path) => path[0] === top && isSet(path)));
  return own.map((path) => ({ path, reason: `move it to ${userFile}` }));
}

/** A permission profile says what it says in the user's file: a project's table of that name could open what it closes. */
function listUsersProfiles({ table }: ConfigLayer, { user, userFile }: ProjectLimits): readonly IgnoredKey[] {
  const own = Object.keys(table.permissions ?? {}).filter((name) => Object.hasOwn(user.permissions ?? {}, name));
  const reason = `only ${userFile} may change this profile. Give the project's profile another name`;
  return own.map((name) => ({ path: ["permissions", name], reason }));
}

type ServerPath = readonly [keyof McpServerTable, ...string[]];

/** Keys that pass one of the user's environment variables to a server. */
const variableKeys: readonly ServerPath[] = [
  ["bearer_token_env_var"],
  ["env_http_headers"],
  ["env_vars"],
  ["oauth", "client_secret_env_var"],
];
/** Keys that set where a server is and what it receives. */
const destinationKeys: readonly ServerPath[] = [
  ["command"],
  ["args"],
  ["cwd"],
  ["env"],
  ["url"],
  ["http_headers"],
  ["oauth"],
  ["scopes"],
  ["bearer_token_env_var"],
  ["env_http_headers"],
  ["env_vars"],
];

/** Keys that would send the user's credentials to a place that only the project names. */
function listServerKeys({ table }: ConfigLayer, { user, userFile }: ProjectLimits): readonly IgnoredKey[] {
  return Object.entries(table.mcp_servers ?? {}).flatMap(([id, server]) => {
    const path = ["mcp_servers", id];
    const own = user.mcp_servers?.[id];
    const keys = (own === undefined ? variableKeys : destinationKeys).filter((key) => {
      const value = valueAt(server, key);
      return value !== undefined && !isDeepStrictEqual(value, valueAt(own ?? {}, key));
    });
    const reason =
      own === undefined
        ? `a project may not send your environment variables. To allow it, add [${formatKey(path)}] to ${userFile}`
        : `only ${userFile} may set the address and credentials of this server`;
    return keys.map((key) => ({ path: [...path, ...key], reason }));
  });
}

/** The strictest last. */
const approvalModes: readonly McpApprovalMode[] = ["approve", "auto", "writes", "prompt"];

/** Keys by which more of a server of the user would run, or with fewer questions. */
function listLooserKeys({ table }: ConfigLayer, { user, userFile }: ProjectLimits): readonly IgnoredKey[] {
  return Object.entries(table.mcp_servers ?? {}).flatMap(([id, server]) => {
    const own = user.mcp_servers?.[id];
    if (own === undefined) return [];
    const { default_tools_approval_mode: mode = "auto", enabled_tools: enabled, disabled_tools: disabled = [] } = own;
    const looser = Object.entries(server.tools ?? {}).flatMap(
      ([tool, { approval_mode: asked }]): readonly KeyPath[] => {
        const held = own.tools?.[tool]?.approval_mode ?? mode;
        return isLooser(asked, held) ? [["tools", tool, "approval_mode"]] : [];
      },
    );
    const adds = enabled !== undefined && server.enabled_tools?.some((tool) => !enabled.includes(tool)) === true;
    const frees =
      server.disabled_tools !== undefined && disabled.some((tool) => !server.disabled_tools?.includes(tool));
    const keys: readonly KeyPath[] = [
      ...(isLooser(server.default_tools_approval_mode, mode) ? [["default_tools_approval_mode"]] : []),
      ...looser,
      ...(adds ? [["enabled_tools"]] : []),
      ...(frees ? [["disabled_tools"]] : []),
    ];
    const reason = `a project may only be stricter with your server than ${userFile}`;
    return keys.map((key) => ({ path: ["mcp_servers", id, ...key], reason }));
  });
}

function isLooser(asked: McpApprovalMode | undefined, held: McpApprovalMode): boolean {
  return asked !== undefined && approvalModes.indexOf(asked) < approvalModes.indexOf(held);
}

/** The strictest last. */
const inherited: readonly VariableTable["inherit"][] = ["all", "core", "none"];

type VariableTable = NonNullable<ConfigTable["shell_environment_policy"]>;

/** Keys by which commands would get variables of the user that they do not get otherwise. */
function listLooserVariables({ table }: ConfigLayer, { user, userFile }: ProjectLimits): readonly IgnoredKey[] {
  const asked = table.shell_environment_policy ?? {};
  const own = user.shell_environment_policy ?? {};
  const { exclude = [], include_only: only = [], set = {} } = own;
  const inherits =
    asked.inherit !== undefined && inherited.indexOf(asked.inherit) < inherited.indexOf(own.inherit ?? "all");
  const keeps = asked.ignore_default_excludes === true && own.ignore_default_excludes !== true;
  const frees = asked.exclude !== undefined && exclude.some((pattern) => asked.exclude?.includes(pattern) !== true);
  const empties = asked.include_only?.length === 0;
  const adds = only.length > 0 && (empties || asked.include_only?.some((pattern) => !only.includes(pattern)) === true);
  const replaced = Object.entries(asked.set ?? {}).filter(([name, value]) => name in set && set[name] !== value);
  const keys: readonly KeyPath[] = [
    ...(inherits ? [["inherit"]] : []),
    ...(keeps ? [["ignore_default_excludes"]] : []),
    ...(frees ? [["exclude"]] : []),
    ...(adds ? [["include_only"]] : []),
    ...replaced.map(([name]) => ["set", name]),
  ];
  const reason = `a project may not give commands more of your environment variables than ${userFile}`;
  return keys.map((key) => ({ path: ["shell_environment_policy", ...key], reason }));
}

/** Keys that name a file whose text is sent to the model. */
const sentFiles = ["model_instructions_file", "experimental_compact_prompt_file"] as const;

/** Files outside the project could be anyone's secrets. */
function listForeignFiles(layer: ConfigLayer, { root }: ProjectLimits): readonly IgnoredKey[] {
  const foreign = sentFiles.filter((key) => {
    const file = layer.table[key];
    return file !== undefined && !isOfProject(file, layer.locate([key]), root);
  });
  const reason = `its file is not in the project ${root}. Copy it there, or set the key in your own config`;
  return foreign.map((key) => ({ path: [key], reason }));
}

function isOfProject(file: string, origin: Origin, root: string): boolean {
  if (origin.type !== "file" || file.startsWith("~")) return false;
  const path = resolve(dirname(origin.path), file);
  const real = resolveIfAny(path); // null: it does not exist, which is reported when it is read
  return isInside(path, root) && (real === null || isInside(real, resolveIfAny(root) ?? root));
}
