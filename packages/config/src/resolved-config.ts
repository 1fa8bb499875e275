import type {
  ApprovalPolicy,
  BudgetLimits,
  McpServerConfig,
  ModelFamily,
  ReasoningContext,
  ReasoningEffort,
  ReasoningSummary,
  RepeatLimits,
  SandboxSettings,
  ShellEnvironmentPolicy,
  Verbosity,
  WebSearchMode,
} from "@unroll/protocol";
import type { ConfigWarning } from "./fault/config-warning.ts";
import type { Origin } from "./fault/origin.ts";
import type { ModelCatalogue } from "./models/model-info.ts";
import type { ProviderConfig } from "./providers/provider-config.ts";
import type { CompactionScope, ProjectTable } from "./schema/config-table.ts";
import type { Secret } from "./secret.ts";

/**
 * What all layers together say, with defaults filled in. Paths are absolute and as written, links in them not followed.
 * Printing or serialising it shows no credential.
 */
export interface ResolvedConfig {
  readonly codexHome: string;
  /** The working folder of the thread. It exists. */
  readonly cwd: string;
  /** The nearest root of a git work tree upward from `cwd`; null where `cwd` is in none. */
  readonly projectRoot: string | null;
  /** The profile in use; null for none. */
  readonly profile: string | null;

  readonly model: string;
  /** What is known of the model, with the keys that are set over it, and without what its server does not take. */
  readonly modelFamily: ModelFamily;
  /** All that is known of models. */
  readonly catalogue: ModelCatalogue;
  readonly provider: ProviderConfig;
  /** Where on this machine to look for model servers, when a person asks what is there. */
  readonly localPorts: readonly number[];
  readonly login: LoginConfig;
  /**
   * What is sent: as the user sets it, else what the catalogue says for this model. One that the model does not take is refused when a thread
   * is opened with it. Null: nothing is sent, so the server decides.
   */
  readonly reasoningEffort: ReasoningEffort | null;
  readonly reasoningSummary: ReasoningSummary;
  /** As the user sets it, else by the catalogue. Null: nothing is sent, so the server decides. */
  readonly reasoningContext: ReasoningContext | null;
  /** The same. */
  readonly verbosity: Verbosity | null;
  /** Null: the provider decides. */
  readonly serviceTier: string | null;
  /** Replaces the base instructions; null: those of the model family. */
  readonly modelInstructionsFile: string | null;
  readonly developerInstructions: string | null;

  readonly compaction: CompactionSettings;

  readonly approvalPolicy: ApprovalPolicy;
  /** Of a granular policy, which questions are asked; what another would ask is refused. Null: any other policy, which asks all of its own. */
  readonly approvalQuestions: ApprovalQuestions | null;
  readonly sandboxSettings: SandboxSettings;
  readonly shellEnvironmentPolicy: ShellEnvironmentPolicy;
  /** In ms: how long a command may run when the model names no time. */
  readonly commandTimeoutMs: number;
  /** Whether tool outputs and events show stand-ins for the credentials of `listNamedSecrets`. */
  readonly maskSecrets: boolean;
  readonly webSearchMode: WebSearchMode;
  /** What the model and the settings would have, if the server took everything. */
  readonly unrestricted: UnrestrictedSettings;
  /** Also the disabled ones, in the order of the files. */
  readonly mcpServers: readonly McpServerConfig[];
  /** In ms: how long the first request waits for MCP servers that are not required. */
  readonly mcpStartupGraceMs: number;
  /** How much the schemas of all MCP tools may cost in each request, in tokens; over it, the largest servers are left out. */
  readonly mcpToolSchemaTokens: number;

  /** In bytes, over all project files together; 0: none are read. */
  readonly projectDocMaxBytes: number;
  readonly projectDocFallbackFilenames: readonly string[];
  /** What the user says of the folder's project; null: nothing. */
  readonly projectTrust: "trusted" | "untrusted" | null;
  /** What the user says of all projects, by their roots: for `findProject`. */
  readonly projects: Readonly<Record<string, ProjectTable>>;
  readonly skills: SkillSettings;
  readonly budget: BudgetSettings;
  readonly repeatedCalls: RepeatLimits;
  /** Whether programs keep threads on disk. */
  readonly historyPersistence: "save-all" | "none";
  /** Whether commands may be run by a login shell, which reads the user's profile. */
  readonly allowLoginShell: boolean;
  readonly hideAgentReasoning: boolean;
  readonly terminal: TerminalSettings;

  /** Names of environment variables that hold credentials of the harness, set or not: none may reach a command. */
  readonly secretNames: readonly string[];
  /** Credentials that were written into the config itself; `listSecretValues` adds those of the environment. */
  readonly inlineSecrets: readonly Secret[];
  /** All credentials that stand in the config, also of services that are not the harness's own. */
  readonly namedSecrets: readonly NamedCredential[];

  /** To be shown to the person once. */
  readonly warnings: readonly ConfigWarning[];
  /** Dotted key of each value and table that is set to where it was set last. A default has no entry. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Settings that a server may not take. */
interface UnrestrictedSettings extends Pick<
  ModelFamily,
  "applyPatchTool" | "supportsImages" | "supportsReasoningSummaries"
> {
  readonly webSearchMode: WebSearchMode;
}

/** How the terminal program looks, and how it calls. */
export interface TerminalSettings {
  /** A program and its arguments, started when a turn ends or asks, with JSON as a last argument; empty: none is. */
  readonly notify: readonly string[];
  /** Whether the terminal itself is told, too. */
  readonly notifications: boolean;
  readonly notificationMethod: "auto" | "osc9" | "osc777" | "bel";
  readonly animations: boolean;
  readonly theme: "auto" | "dark" | "light" | "plain";
  /** What the status line shows, in order; null: what it usually does. */
  readonly statusLine: readonly string[] | null;
}

/** When and how a conversation is shortened. */
export interface CompactionSettings {
  /** In tokens: where the conversation is shortened by itself; null: never. */
  readonly tokenLimit: number | null;
  /** Whether somebody set it; else it is a share of the context window. */
  readonly isOwnLimit: boolean;
  /** What counts: all of the next request, or what came since the conversation began or was shortened. */
  readonly scope: CompactionScope;
  /** In place of our own instructions for the summary; null: ours. */
  readonly prompt: string | null;
  /** A file that holds them; null: none. It wins over `prompt`. */
  readonly promptFile: string | null;
}

/** `approval_policy = { granular = … }`, besides those of commands and patches, which `approvalPolicy` says. */
export interface ApprovalQuestions {
  /** About what a rule says `prompt` to. */
  readonly rules: boolean;
  /** About tools of MCP servers, and the forms of these. */
  readonly mcp: boolean;
}

/** What may be spent. */
export interface BudgetSettings {
  /** On one run: a turn with all its requests. */
  readonly run: BudgetLimits;
  /** On a thread over all its turns, in whatever process. */
  readonly thread: BudgetLimits;
}

export interface SkillSettings {
  /** Whether the model is given the list of skills; without it they work by mention. */
  readonly isListed: boolean;
  /** Which skills count; of several rules for one the last. */
  readonly rules: readonly SkillRule[];
}

/** `path`: of a SKILL.md or its folder, absolute. */
export type SkillRule = { readonly isEnabled: boolean } & ({ readonly path: string } | { readonly name: string });

/** Where a person logs in, and where the login is kept. */
export interface LoginConfig {
  /** `https:`, or `http:` on this machine; without a slash at its end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Further hosts that may be asked when the issuer names them. */
  readonly hosts: readonly string[];
  /** The only one that is taken; null: either. */
  readonly method: "chatgpt" | "api" | null;
  /** `auto`: the system keyring, else the file. */
  readonly storage: "file" | "keyring" | "auto";
  /** The same for logins to MCP servers. */
  readonly mcpStorage: "file" | "keyring" | "auto";
}

/** A credential and what a person knows it by. */
export interface NamedCredential {
  /** The variable, or the provider or server and the variable or header: `github.GITHUB_TOKEN`. */
  readonly name: string;
  readonly secret: Secret;
}
