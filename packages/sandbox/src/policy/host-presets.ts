import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextIfAny } from "@unroll/files";
import { type HostLists, type HostPreset, hostPresets } from "@unroll/protocol";

/** The machine whose settings name the hosts. */
export interface PresetMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly homeDirectory: string;
}

/** Where a package manager's hosts are set. A project's own settings never count. */
interface PresetSource {
  /** Variables that hold addresses. */
  readonly variables: readonly string[];
  readonly files: (machine: PresetMachine) => readonly string[];
  /** The lines of these files that hold addresses. */
  readonly lines: RegExp;
  /** For advice. */
  readonly named: string;
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
    named: "`registry` in ~/.npmrc",
  },
  pypi: {
    variables: ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX"],
    files: ({ env, homeDirectory }) => [
      ...(env["PIP_CONFIG_FILE"] === undefined ? [] : [env["PIP_CONFIG_FILE"]]),
      join(env["XDG_CONFIG_HOME"] ?? join(homeDirectory, ".config"), "pip", "pip.conf"),
      join(homeDirectory, ".pip", "pip.conf"),
      "/etc/pip.conf",
    ],
    lines: /^\s*(?:extra-)?index-url\s*=/,
    named: "`index-url` in pip.conf",
  },
  crates: {
    variables: ["CARGO_REGISTRIES_CRATES_IO_INDEX"],
    files: ({ env, homeDirectory }) => [
      join(env["CARGO_HOME"] ?? join(homeDirectory, ".cargo"), "config.toml"),
      join(env["CARGO_HOME"] ?? join(homeDirectory, ".cargo"), "config"),
    ],
    lines: /^\s*(?:index|registry)\s*=/,
    named: "`registry` or `index` in ~/.cargo/config.toml",
  },
  debian: {
    variables: [],
    files: () => ["/etc/apt/sources.list", ...listFiles("/etc/apt/sources.list.d")],
    lines: /^\s*(?:deb|deb-src|URIs:)\s/,
    named: "an address in /etc/apt/sources.list.d",
  },
};

const github = ["github.com", "api.github.com:443", "codeload.github.com:443", "*.githubusercontent.com:443"];

function findPreset(preset: HostPreset, machine: PresetMachine): readonly string[] {
  if (preset === "github") return github;
  const { variables, files, lines } = sources[preset];
  const texts = [
    ...variables.map((name) => machine.env[name] ?? ""),
    ...files(machine).flatMap((file) => (readTextIfAny(file) ?? "").split("\n").filter((line) => lines.test(line))),
  ];
  return [...new Set(texts.flatMap(findHosts))];
}

/** Only name and port: an address may hold a password. */
function findHosts(text: string): readonly string[] {
  const addresses = text.match(/https?:\/\/[^\s"']+/g) ?? [];
  return addresses.flatMap((address) => {
    const url = URL.parse(address);
    if (url === null || url.hostname === "") return [];
    return [`${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`];
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
    warnings: found.filter(({ hosts }) => hosts.length === 0).map(({ name }) => explainEmpty(name)),
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

function explainEmpty(name: string): string {
  const place = isPreset(name) && name !== "github" ? sources[name].named : "your settings";
  return `The preset ${name} allows no host, because there is no ${place}. Set that, or allow the host by its name.`;
}
