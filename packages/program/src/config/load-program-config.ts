import type {
  ConfigKey,
  ConfigOverride,
  ConfigSources,
  KeyOption,
  LocalProviderId,
  ResolvedConfig,
} from "@unroll/config";
import type { Host } from "@unroll/harness";
import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import { trustCertificates } from "./trust-certificates.ts";
import { ProgramError } from "../failure/program-error.ts";

/** The config flags of a command line. */
export interface ProgramFlags {
  readonly model?: string;
  readonly profile?: string;
  /** Use a model on this machine. */
  readonly oss?: boolean;
  readonly localProvider?: LocalProviderId;
  readonly sandbox?: SandboxMode;
  /** A permission profile that a client names for its thread. */
  readonly permissions?: string;
  readonly askForApproval?: ApprovalPolicy;
  readonly cd?: string;
  /** Where threads are saved: as of `StorePlace`. */
  readonly store?: string;
  readonly addDir?: readonly string[];
  readonly allowHost?: readonly string[];
  /** `key=value`, in the order given. */
  readonly config?: readonly string[];
  /** Search the web itself. */
  readonly search?: boolean;
  readonly strictConfig?: boolean;
  /** Pass over the user's own config.toml. */
  readonly ignoreUserConfig?: boolean;
  /** Take the project for a trusted one. */
  readonly trust?: boolean;
  /** Features to turn on, and off. */
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
  readonly fullAuto?: boolean;
  readonly approveForMe?: boolean;
  readonly dangerouslyBypassApprovalsAndSandbox?: boolean;
  /** The limits of one run, each in the form of its key in `[budget]`. */
  readonly maxTurns?: string;
  readonly maxTokens?: string;
  readonly maxCost?: string;
  /** Seconds, or a number with `s`, `m` or `h`. */
  readonly maxTime?: string;
}

/**
 * The config of a run: files, then `-c`, then flags. `more` stand between files and flags, as `-c` does. Imports the
 * config reader only now, because help and some subcommands do not need it.
 */
export async function loadProgramConfig(
  flags: ProgramFlags,
  host: Host,
  more: readonly ConfigOverride[] = [],
): Promise<ResolvedConfig> {
  const { loadConfig } = await import("@unroll/config");
  const config = await loadConfig(await toConfigSources(flags, host, more));
  const unused = await trustCertificates(config, host.env);
  return unused.length === 0 ? config : { ...config, warnings: [...config.warnings, ...unused] };
}

/** The sources of that config, for commands that explain it. */
export async function toConfigSources(
  flags: ProgramFlags,
  host: Pick<Host, "env" | "cwd" | "platform">,
  more: readonly ConfigOverride[] = [],
): Promise<ConfigSources> {
  const { listConfigKeys, resolveCodexHome } = await import("@unroll/config");
  return {
    codexHome: resolveCodexHome(host.env, host.cwd),
    systemFile: host.platform === "win32" ? undefined : "/etc/codex/config.toml",
    ignoreUserFile: flags.ignoreUserConfig,
    trustProject: flags.trust,
    strict: flags.strictConfig,
    cwd: host.cwd,
    env: host.env,
    overrides: [
      ...(flags.config ?? []).map(toOverride),
      ...(flags.enable ?? []).map((name) => toFeature(name, "--enable")),
      ...(flags.disable ?? []).map((name) => toFeature(name, "--disable")),
      ...toPermissions(flags),
      ...more,
    ],
    profile: flags.profile,
    flags: {
      keys: toKeyOptions(flags, listConfigKeys()),
      oss: flags.oss,
      localProvider: flags.localProvider,
      cwd: flags.cd,
      addDirs: flags.addDir,
      allowHosts: flags.allowHost,
    },
  };
}

/** A client's own choice, by the name of its member. */
function toPermissions({ permissions }: ProgramFlags): readonly ConfigOverride[] {
  if (permissions === undefined) return [];
  return [{ key: "default_permissions", value: JSON.stringify(permissions), origin: "permissions" }];
}

/** A `-c key=value` of the command line. Throws `ProgramError` `usage`. */
export function toOverride(text: string): ConfigOverride {
  // an = in quotes belongs to the key
  const [, key = "", value = ""] = /^((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^=])+)=(.*)$/s.exec(text) ?? [];
  if (key === "") throw new ProgramError("usage", `-c ${text}: expected key=value, such as -c model_verbosity=low.`);
  return { key: key.trim(), value: value.trim(), origin: "-c" };
}

function toFeature(name: string, origin: "--enable" | "--disable"): ConfigOverride {
  return { key: `features.${name}`, value: String(origin === "--enable"), origin };
}

/** The flags that their keys declare. The config says what is wrong with a value. */
function toKeyOptions(flags: ProgramFlags, keys: readonly ConfigKey[]): readonly KeyOption[] {
  const meant: object = { ...flags, ...toMeant(flags) };
  return keys.flatMap((key) => {
    const [origin = ""] = /--[\w-]+/.exec(key.flag?.names ?? "") ?? [];
    const member = origin.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const said: unknown = member === "" ? undefined : Reflect.get(meant, member);
    const value =
      said === true ? key.flag?.value : typeof said === "string" && key.isNumber ? toNumber(said, key) : said;
    return value === undefined ? [] : [{ key: key.name, value, origin }];
  });
}

/** Replaces the flag for both by the two flags that it stands for. */
function toMeant(flags: ProgramFlags): Pick<ProgramFlags, "sandbox" | "askForApproval"> {
  if (flags.dangerouslyBypassApprovalsAndSandbox) return { sandbox: "danger-full-access", askForApproval: "never" };
  if (!flags.fullAuto && !flags.approveForMe) return {};
  // a mode that is named beside it can narrow it, and not widen it
  const sandbox = flags.sandbox === "read-only" ? "read-only" : "workspace-write";
  return { sandbox, ...(flags.approveForMe && { askForApproval: "on-request" }) };
}

function toNumber(text: string, { unit, flag }: ConfigKey): unknown {
  const plain = unit === "seconds" ? String(readSeconds(text, flag?.names ?? "")) : text.replaceAll("_", "");
  const number = plain.trim() === "" ? Number.NaN : Number(plain);
  return Number.isNaN(number) ? text : number;
}

const secondsOfUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** The seconds of `90`, `90s`, `10m` or `2h`. Throws `ProgramError` that names the first of the flag's `names`. */
export function readSeconds(text: string, names: string): number {
  const [, amount = "", unit = "s"] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text.trim()) ?? [];
  if (amount === "")
    throw new ProgramError("usage", `${names.split(" ")[0]} ${text}: expected a time, such as 90, 90s, 10m or 2h.`);
  return Number(amount) * (secondsOfUnit[unit] ?? 1);
}

const choosingKeys = [
  "account",
  "forced_login_method",
  "model",
  "model_provider",
  "model_providers",
  "openai_base_url",
  "profile",
];

/**
 * Whether to stand the demo model in: there is no key and no login, and nothing says that one was meant. A model, a provider or an
 * address that is chosen anywhere says so; so does a variable for the key or the address that is set, if only to nothing
 * (a secret that a CI job was not given). Throws `AuthError` for a login that cannot be used.
 */
export async function needsDemoModel(config: ResolvedConfig, host: Host): Promise<boolean> {
  const { resolveCredential } = await import("@unroll/config");
  const credential = resolveCredential(config.provider, host.env);
  if (credential.type !== "missing") return false;
  const isChosen = [...config.origins].some(
    ([key, { type }]) => choosingKeys.includes(key.split(".")[0] ?? "") && (type === "file" || type === "argument"),
  );
  const variables = ["OPENAI_BASE_URL", ...config.provider.envKeys];
  if (isChosen || variables.some((name) => host.env[name] !== undefined)) return false;
  if (!credential.takesLogin) return true;
  const { openLogin } = await import("@unroll/harness");
  return (await (await openLogin(config, host)).status()) === null;
}
