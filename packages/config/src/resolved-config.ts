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
import type { Members, ProjectTable } from "./keys/config-table.ts";
import type { TopKeys } from "./keys/key-sections.ts";
import type { ModelCatalogue } from "./models/model-info.ts";
import type { ProviderConfig } from "./providers/provider-config.ts";
import type { Secret } from "./secret.ts";

/** What programs get of the keys at the top as it is: see their declarations. */
type TopMembers = Members<TopKeys>;

/**
 * What all layers together say, with defaults filled in. Paths are absolute and as written, links in them not followed.
 * Printing or serialising it shows no credential. Besides these it has the `member` of each key that needs no more than its default.
 */
export interface ResolvedConfig extends TopMembers {
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
  /** Replaces the base instructions; null: those of the model family. */
  readonly modelInstructionsFile: string | null;

  readonly compaction: CompactionSettings;

  readonly approvalPolicy: ApprovalPolicy;
  /** Of a granular policy, which questions are asked; what another would ask is refused. Null: any other policy, which asks all of its own. */
  readonly approvalQuestions: ApprovalQuestions | null;
  readonly sandboxSettings: SandboxSettings;
  readonly webSearchMode: WebSearchMode;
  /** What the model and the settings would have, if the server took everything. */
  readonly unrestricted: UnrestrictedSettings;
  /** Also the disabled ones, in the order of the files. */
  readonly mcpServers: readonly McpServerConfig[];
  /** What the user says of the folder's project; null: nothing. */
  readonly projectTrust: "trusted" | "untrusted" | null;
  /** What the user says of all projects, by their roots: for `findProject`. */
  readonly projects: Readonly<Record<string, ProjectTable>>;
  readonly skills: SkillSettings;
  readonly budget: BudgetSettings;

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

/** When and how a conversation is shortened. */
export type CompactionSettings = TopMembers["compaction"] & {
  /** In tokens: where the conversation is shortened by itself; null: never. */
  readonly tokenLimit: number | null;
  /** Whether somebody set it; else it is a share of the context window. */
  readonly isOwnLimit: boolean;
};

/** `approval_policy = { granular = … }`, besides those of commands and patches, which `approvalPolicy` says. */
interface ApprovalQuestions {
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

type SkillSettings = TopMembers["skills"] & {
  /** Which skills count; of several rules for one the last. */
  readonly rules: readonly SkillRule[];
};

/** `path`: of a SKILL.md or its folder, absolute. */
export type SkillRule = { readonly isEnabled: boolean } & ({ readonly path: string } | { readonly name: string });

/** Where a person logs in, and where the login is kept. */
type LoginConfig = TopMembers["login"] & {
  /** `https:`, or `http:` on this machine; without a slash at its end. */
  readonly issuer: string;
};

/** A credential and what a person knows it by. */
export interface NamedCredential {
  /** The variable, or the provider or server and the variable or header: `github.GITHUB_TOKEN`. */
  readonly name: string;
  readonly secret: Secret;
}
