import type { RuleStore } from "@unroll/approval";
import type { ResolvedConfig, ServerNotes } from "@unroll/config";
import type { createSerialQueue } from "@unroll/flow";
import type { McpPool } from "@unroll/mcp";
import type { McpServerStatus, ModelPrice, Person, ThreadStore } from "@unroll/protocol";
import type { ProjectContext, PromptFiles } from "@unroll/prompt";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { LearnedSecrets } from "../auth/learned-secrets.ts";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import type { ModelPool } from "../model/open-model.ts";
import type { LoginShellSharing } from "../sandbox/login-shell-sharing.ts";
import type { SandboxBackends } from "../sandbox/create-sandbox.ts";
import type { Looks } from "./share-looks.ts";

/** The parts that the threads of a harness share. */
export interface SharedParts {
  readonly host: Host;
  /** Null: this one. */
  readonly executor: Executor | null;
  /** The machine's files. */
  readonly promptFiles: PromptFiles;
  /** Reads the instructions, AGENTS.md files and skills, by the caller's config. */
  readonly standing: Looks<ResolvedConfig, ProjectContext>;
  /** Asks servers how large the windows of their models are, by provider and model. */
  readonly windows: Looks<string, number | null>;
  /** Aborts when the harness closes. */
  readonly closing: AbortSignal;
  /** The client's name: see `HarnessOptions`. */
  readonly userAgent: string;
  /** Null: threads last as long as they are open. */
  readonly store: ThreadStore | null;
  /** Notes on what servers refused. Null: files below the `codexHome` of the thread's config. */
  readonly serverNotes: ServerNotes | null;
  /** The config of threads without their own. */
  readonly config: ResolvedConfig;
  /** The whole config that one thread's is; `call`: what it was given to, for messages. Throws as `settleThreadConfig`. */
  readonly settleConfig: (call: string, own: ResolvedConfig | ConfigSettings) => Promise<ResolvedConfig>;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
  readonly models: ModelPool;
  /** Null: not known. */
  readonly priceOf: (model: string, provider: string) => ModelPrice | null;
  readonly learned: LearnedSecrets;
  /** Null: there is no MCP server in the config. */
  readonly mcp: McpPool | null;
  /** As they are now, in the order of the config. */
  readonly mcpServers: () => readonly McpServerStatus[];
  readonly book: RuleStore;
  readonly backends: SandboxBackends;
  readonly logins: LoginShellSharing;
  /** For git that makes, looks at and removes worktrees: it refuses to make two at once. */
  readonly oneByOne: ReturnType<typeof createSerialQueue>;
}
