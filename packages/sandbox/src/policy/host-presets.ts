import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseHostPattern } from "@unroll/egress";
import { readTextIfAny } from "@unroll/files";
import { type HostLists, type HostPreset, hostPresets } from "@unroll/protocol";

/** The machine whose settings name the hosts. */
export interface PresetMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly homeDirectory: string;
  /** The folder of apt's lists. Absent: the system's. */
  readonly aptFolder?: string;
}

/** Where a package manager's hosts are set. A project's own settings never count. */
interface PresetSource {
  /** Variables that hold addresses. */
  readonly variables: readonly string[];
  /** The first is the one for a person to write. */
  readonly files: (machine: PresetMachine) => readonly [string, ...string[]];
  /** The lines of these files that hold addresses. */
  readonly lines: RegExp;
  /** A paragraph with such a line does not count. */
  readonly disabled?: RegExp;
  /** Its lines may name variables, as npm's do. */
  readonly expands?: true;
  /** A line that sets one, for advice. */
  readonly example: string;
}

const sources: Readonly<Record<Exclude<HostPreset, "github">, PresetSource>> = {
  npm: {
    variables: ["npm_config_registry", "NPM_CONFIG_REGISTRY"],
    files: ({ env, homeDirectory }) => [
      env["NPM_CONFIG_USERCONFIG"] ?? env["npm_config_userconfig"] ?? join(homeDirectory, ".npmrc"),
      "/etc/npmrc",
      "/usr/etc/npmrc",
      "/usr/local/etc/npmrc",
    ],
    lines: /^\s*(?:@[\w.-]+:)?registry\s*=/,
    expands: true,
    example: "`registry=https://HOST/`",
  },
  pypi: {
    variables: ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX"],
    files: ({ env, homeDirectory }) => {
      const own = join(env["XDG_CONFIG_HOME"] ?? join(homeDirectory, ".config"), "pip", "pip.conf");
      return [env["PIP_CONFIG_FILE"] ?? own, own, join(homeDirectory, ".pip", "pip.conf"), "/etc/pip.conf"];
    },
    lines: /^\s*(?:extra-)?index-url\s*=/,
    example: "`index-url = https://HOST/simple/` below `[global]`",
  },
  crates: {
    variables: ["CARGO_REGISTRIES_CRATES_IO_INDEX"],
    files: ({ env, homeDirectory }) => [
      join(env["CARGO_HOME"] ?? join(homeDirectory, ".cargo"), "config.toml"),
      join(env["CARGO_HOME"] ?? join(homeDirectory, ".cargo"), "config"),
    ],
    lines: /^(?:[^#]*[\s{,.])?(?:index|registry)\s*=/,
    example:
      '`source = { crates-io = { replace-with = "mirror" }, mirror = { registry = "sparse+https://HOST/index/" } }`, before the first `[section]`',
  },
  debian: {
    variables: [],
    files: ({ aptFolder = "/etc/apt" }) => [
      join(aptFolder, "sources.list"),
      ...listFiles(join(aptFolder, "sources.list.d")).filter((file) => /\.(?:list|sources)$/.test(file)), // as apt does
    ],
    lines: /^\s*(?:deb|deb-src|URIs:)\s/,
    disabled: /^Enabled:\s*(?:no|false|without|off|disable|0)\s*$/im,
    example: "`deb https://HOST/debian stable main`",
  },
};

const github = ["github.com", "api.github.com:443", "codeload.github.com:443", "*.githubusercontent.com:443"];

function findPreset(preset: HostPreset, machine: PresetMachine): readonly string[] {
  if (preset === "github") return github;
  const { variables, files, lines, disabled, expands = false } = sources[preset];
  const set = files(machine).flatMap((file) => {
    const paragraphs = (readTextIfAny(file) ?? "").split(/\n\s*\n/);
    const counting = paragraphs.filter((paragraph) => !disabled?.test(paragraph));
    return counting.flatMap((paragraph) => paragraph.split("\n")).filter((line) => lines.test(line));
  });
  const texts = [
    ...variables.map((name) => machine.env[name] ?? ""),
    ...(expands ? set.map((line) => expandVariables(line, machine.env)) : set),
  ];
  return [...new Set(texts.flatMap(findHosts))];
}

/** `${NAME}` stays where there is no such variable, and `${NAME?}` becomes empty; a backslash before it keeps it. */
function expandVariables(line: string, env: PresetMachine["env"]): string {
  return line.replaceAll(/(?<!\\)\$\{([^${}?]+)(\??)\}/g, (written, name: string, orEmpty: string) => {
    return env[name] ?? (orEmpty === "" ? written : "");
  });
}

/** Only name and port: an address may hold a password. */
function findHosts(text: string): readonly string[] {
  const addresses = text.match(/https?:\/\/[^\s"']+/g) ?? [];
  return addresses.flatMap((address) => {
    const url = URL.parse(address);
    if (url === null) return [];
    const host = `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
    return parseHostPattern(host).type === "pattern" ? [host] : []; // of a variable that is not set
  });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The lists with hosts in place of presets, and a sentence for each preset that stands for none. */
export function resolveHostPresets(
  lists: HostLists,
  machine: PresetMachine,
): { readonly lists: HostLists; readonly warnings: readonly string[] } {
  const found = lists.allow.map((name) => ({ name, hosts: isPreset(name) ? findPreset(name, machine) : [name] }));
  return {
    lists: { ...lists, allow: [...new Set(found.flatMap(({ hosts }) => hosts))] },
    warnings: found.flatMap(({ name, hosts }) =>
      isPreset(name) && hosts.length === 0 ? explainEmpty(name, machine) : [],
    ),
  };
}

/** The other hosts of the package managers that use a host, `name:port`. */
export function listPresetHosts(host: string, machine: PresetMachine): readonly string[] {
  const all = hostPresets.filter((name) => name !== "github").map((name) => findPreset(name, machine));
  const own = all.filter((hosts) => hosts.includes(host)).flat();
  return [...new Set(own)].filter((each) => each !== host);
}

function isPreset(name: string): name is HostPreset {
  return hostPresets.some((preset) => preset === name);
}

function explainEmpty(preset: HostPreset, machine: PresetMachine): readonly string[] {
  if (preset === "github") return [];
  const { files, example } = sources[preset];
  const [file] = files(machine);
  return [
    `The preset ${preset} allows no host, because your settings name no address for it. ` +
      `Add ${example} to ${file}, or allow the host by its name: \`network = { allow = ["HOST"] }\` below ` +
      "`[sandbox_workspace_write]` in config.toml, or `--allow-host HOST`.",
  ];
}
