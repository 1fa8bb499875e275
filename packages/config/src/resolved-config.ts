import type {
  ApprovalPolicy,
  BudgetLimits,
  McpServerConfig,
  ModelFamily,
  ReasoningContext,
  ReasoningEffort,
  ReasoningSummary,
  SandboxSettings,
  Verbosity,
  WebSearchMode,
} from "@unroll/protocol";
import type { ConfigWarning, Origin } from "./config-error.ts";
import type { Members, PermissionTable, ProjectTable } from "./keys/config-table.ts";
import type { TopKeys } from "./keys/key-sections.ts";
import type { ModelCatalogue } from "./models/model-info.ts";
import type { ProviderConfig } from "./providers/provider-config.ts";
import type { Secret } from "./secret.ts";

/** Top-level keys that programs read unchanged; their declarations describe them. */
type TopMembers = Members<TopKeys>;

/**
 * The result of all layers, with defaults filled in. Paths are absolute and as written: links are
 * not followed. Printing or serialising it shows no credential. It also has the `member` of each
 * key that needs nothing but its default.
 */
export interface ResolvedConfig extends TopMembers {
  readonly codexHome: string;
  /** The working folder of the thread. It exists. */
  readonly cwd: string;
  /** The closest root of a git work tree at or above `cwd`; null: `cwd` is in none. */
  readonly projectRoot: string | null;
  /** The profile in use; null: none. */
  readonly profile: string | null;

  readonly model: string;
  /**
   * The facts about the model, with your keys over them, and without features that the server does
   * not accept.
   */
  readonly modelFamily: ModelFamily;
  /** Everything known about models, for `findModel` and `listModels`. */
  readonly catalogue: ModelCatalogue;
  readonly provider: ProviderConfig;
  /** The configs of `model_fallbacks`: each is this one with another model, maybe of another provider, and without fallbacks of its own. */
  readonly modelFallbacks: readonly ResolvedConfig[];
  readonly login: LoginConfig;
  /**
   * The effort that is sent: yours, else the one that the catalogue gives for this model. Opening a
   * thread with an effort that the model does not take is an error. Null: nothing is sent, so the
   * server decides.
   */
  readonly reasoningEffort: ReasoningEffort | null;
  readonly reasoningSummary: ReasoningSummary;
  /** Your setting, else the catalogue's. Null: nothing is sent, so the server decides. */
  readonly reasoningContext: ReasoningContext | null;
  /** Your setting, else the catalogue's. Null: nothing is sent, so the server decides. */
  readonly verbosity: Verbosity | null;
  /** Absolute path of a file that replaces the base instructions; null: the model family's own are used. */
  readonly modelInstructionsFile: string | null;

  readonly compaction: CompactionSettings;

  readonly approvalPolicy: ApprovalPolicy;
  /**
   * For a granular policy: which questions are asked; all others are denied. Null: another policy,
   * which asks all of its questions.
   */
  readonly approvalQuestions: ApprovalQuestions | null;
  readonly sandboxSettings: SandboxSettings;
  /** The permission profile that `sandboxSettings` come from; null: none. */
  readonly permissionProfile: string | null;
  /** For `findPermissions` and `listPermissionProfiles`. */
  readonly permissionProfiles: PermissionProfiles;
  readonly webSearchMode: WebSearchMode;
  /** The settings as they would be if the server accepted every feature. */
  readonly unrestricted: UnrestrictedSettings;
  /** Includes disabled servers, in the order of the files. */
  readonly mcpServers: readonly McpServerConfig[];
  /** Whether you trust the folder's project; null: you have not said. */
  readonly projectTrust: "trusted" | "untrusted" | null;
  /** Your decision for every project, by root folder; for `findProject`. */
  readonly projects: Readonly<Record<string, ProjectTable>>;
  readonly terminal: TopMembers["terminal"] & {
    /** `[tui.keymap]` as it is written: the keys of actions, by context and action. */
    readonly keymap: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  };
  readonly skills: SkillSettings;
  readonly budget: BudgetSettings;

  /**
   * Names of environment variables that hold credentials of the harness, set or not. No command may
   * get them.
   */
  readonly secretNames: readonly string[];
  /** Credentials written in the config files; `listSecretValues` adds those of the environment. */
  readonly inlineSecrets: readonly Secret[];
  /** All credentials written in the config, including those of other services. */
  readonly namedSecrets: readonly NamedCredential[];

  /** To be shown to the user once. */
  readonly warnings: readonly ConfigWarning[];
  /** For each value and table that is set, by dotted key: where it was last set. A default has no entry. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** The permission profiles of a config, with all that they need to become sandbox settings. */
export interface PermissionProfiles {
  /** The tables of `[permissions]`, by name. */
  readonly tables: Readonly<Record<string, PermissionTable>>;
  /** The settings without a profile. A profile keeps their hidden paths and limits. */
  readonly base: SandboxSettings;
  /** Folders that the command line added; absolute. */
  readonly addedRoots: readonly string[];
  /** The hosts of the command line, which no profile takes away. */
  readonly addedHosts: readonly string[];
  /** The user's home, for `~`; null: it is unknown. */
  readonly home: string | null;
}

/** Settings that a server may not accept. */
interface UnrestrictedSettings extends Pick<
  ModelFamily,
  "applyPatchTool" | "supportsImages" | "supportsReasoningSummaries"
> {
  readonly webSearchMode: WebSearchMode;
}

/** When and how a thread is compacted. */
export type CompactionSettings = TopMembers["compaction"] & {
  /** In tokens: where a thread is compacted automatically; null: never. */
  readonly tokenLimit: number | null;
  /** Whether the limit was set; otherwise it is a share of the context window. */
  readonly isOwnLimit: boolean;
};

/** `approval_policy = { granular = {} }`, apart from commands and patches, which `approvalPolicy` covers. */
interface ApprovalQuestions {
  /** Commands for which a rule says `prompt`. */
  readonly rules: boolean;
  /** Tools of MCP servers, and the forms that these servers send. */
  readonly mcp: boolean;
}

/** Limits on what may be spent. */
export interface BudgetSettings {
  /** For one run: a turn with all its requests. */
  readonly run: BudgetLimits;
  /** For a thread, over all its turns in any process. */
  readonly thread: BudgetLimits;
}

type SkillSettings = TopMembers["skills"] & {
  /** Which skills are used. When several rules match one skill, the last one wins. */
  readonly rules: readonly SkillRule[];
};

/** `path`: a SKILL.md file or its folder, absolute. */
export type SkillRule = { readonly isEnabled: boolean } & ({ readonly path: string } | { readonly name: string });

/** Where the user logs in, and where the login is saved. */
type LoginConfig = TopMembers["login"] & {
  /** `https:`, or `http:` on this machine; no slash at the end. */
  readonly issuer: string;
};

/** A credential, and the name under which the user knows it. */
export interface NamedCredential {
  /** The variable, or the provider or server with the variable or header: `github.GITHUB_TOKEN`. */
  readonly name: string;
  readonly secret: Secret;
}
