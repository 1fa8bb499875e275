import type { ResolvedConfig } from "@unroll/config";
import type { RequestTail, ThreadState } from "@unroll/core";
import { renderEnvironmentChange, renderPermissionsChange } from "@unroll/prompt";
import type { ApprovalPolicy, MessageItem, SandboxPolicy } from "@unroll/protocol";

/** What can change within a thread. Absent: it stays. The model is told of what concerns it; nothing that was sent changes. */
export type ThreadChange = Partial<
  Pick<
    ResolvedConfig,
    "cwd" | "approvalPolicy" | "sandboxSettings" | "reasoningEffort" | "reasoningSummary" | "verbosity"
  >
>;

/** What holds for the next call and the next request of a thread. Whoever needs it reads it here, each time. */
export interface ThreadSettings {
  readonly config: ResolvedConfig;
  /** Resolved once, when the thread was opened or the settings were changed. */
  readonly sandboxPolicy: SandboxPolicy;
  /** When a person is asked, as it is where nobody is there. */
  readonly approvalPolicy: ApprovalPolicy;
  requestTail(): RequestTail;
  /** Returns the messages that tell the model; none where nothing that concerns it really changed. */
  change(change: ThreadChange): readonly MessageItem[];
}

export interface ThreadSettingsOptions {
  readonly config: ResolvedConfig;
  /** Whether there is anybody to ask. */
  readonly isAttended: boolean;
  readonly shellName: string;
  /** Remembers what the model was told last, also over a resume. */
  readonly notes: ThreadState["notes"];
  /** Looks at the disk. */
  readonly resolvePolicy: (config: ResolvedConfig) => SandboxPolicy;
}

export function createThreadSettings(options: ThreadSettingsOptions): ThreadSettings {
  const { isAttended, shellName, notes, resolvePolicy } = options;
  let config = options.config;
  let sandboxPolicy = resolvePolicy(config);
  const settings: ThreadSettings = {
    get config() {
      return config;
    },
    get sandboxPolicy() {
      return sandboxPolicy;
    },
    get approvalPolicy() {
      return isAttended ? config.approvalPolicy : toUnattended(config.approvalPolicy);
    },
    requestTail: () => toRequestTail(config),
    change(change) {
      config = { ...config, ...change };
      if (change.cwd !== undefined || change.sandboxSettings !== undefined) sandboxPolicy = resolvePolicy(config);
      return tellChanges();
    },
  };

  function tellChanges(): readonly MessageItem[] {
    const { approvalPolicy } = settings;
    const permissions = renderPermissionsChange({ sandboxPolicy, approvalPolicy });
    const environment = renderEnvironmentChange({ cwd: config.cwd, shellName });
    const told = notes.get("told");
    const now = { permissions: JSON.stringify(permissions), environment: JSON.stringify(environment) };
    notes.set("told", now);
    return [
      ...(told === null || told.permissions === now.permissions ? [] : [permissions]),
      ...(told === null || told.environment === now.environment ? [] : [environment]),
    ];
  }

  return settings;
}

/** What a policy comes to where nobody can be asked: `untrusted` keeps its questions, and each is answered by a no. */
function toUnattended(policy: ApprovalPolicy): ApprovalPolicy {
  return policy === "untrusted" ? "untrusted" : "never";
}

/** Settings that the model family does not know are left out: servers refuse them. */
function toRequestTail(config: ResolvedConfig): RequestTail {
  const { modelFamily: family, reasoningEffort: effort, reasoningSummary: summary, verbosity } = config;
  const reasoning = { ...(effort === null ? {} : { effort }), ...(summary === "none" ? {} : { summary }) };
  return {
    ...(family.supportsReasoning ? { reasoning } : {}),
    ...(family.supportsVerbosity && verbosity !== null ? { verbosity } : {}),
  };
}
