import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError, loadConfig, type ConfigSources, type ResolvedConfig } from "@unroll/config";

export interface TempHome extends AsyncDisposable {
  readonly path: string;
  /** `home/.codex/config.toml` */
  readonly configFile: string;
  load(sources?: TestSources): Promise<ResolvedConfig>;
  /** The error of a load that must fail. */
  loadError(sources?: TestSources): Promise<ConfigError>;
}

interface TestSources extends Omit<Partial<ConfigSources>, "flags"> {
  /** With the flags that stand for keys by short names. */
  readonly flags?: ConfigSources["flags"] & {
    readonly model?: string;
    readonly sandboxMode?: string;
    readonly approvalPolicy?: string;
  };
}

/** A home folder with these files (relative paths; `config.toml` is the user's) and a `project` folder to work in. */
export async function createTempHome(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempHome> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-config-"));
  const home = folder.path;
  const codexHome = join(home, ".codex");
  await mkdir(join(home, "project"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = name === "config.toml" ? join(codexHome, name) : join(home, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const load = ({ flags = {}, ...sources }: TestSources = {}): Promise<ResolvedConfig> => {
    const { model, sandboxMode, approvalPolicy, ...others } = flags;
    const keys = [
      { key: "model", value: model, origin: "--model" },
      { key: "sandbox_mode", value: sandboxMode, origin: "--sandbox" },
      { key: "approval_policy", value: approvalPolicy, origin: "--ask-for-approval" },
    ];
    const where = { codexHome, cwd: join(home, "project"), env: { HOME: home } };
    return loadConfig({ ...where, overrides: [], ...sources, flags: { keys, ...others } });
  };
  return {
    path: home,
    configFile: join(codexHome, "config.toml"),
    load,
    async loadError(sources) {
      const outcome: unknown = await load(sources).catch((error: unknown) => error);
      if (outcome instanceof ConfigError) return outcome;
      throw new Error("Loading did not fail with a ConfigError.", { cause: outcome });
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The files of a folder that git takes for a repository. */
export function repositoryIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(["HEAD", "objects/x", "refs/x"].map((name) => [`${folder}/.git/${name}`, ""]));
}

/** `-c key=value` */
export function override(key: string, value: string): ConfigSources["overrides"][number] {
  return { key, value, origin: "-c" };
}
