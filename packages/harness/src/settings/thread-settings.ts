import { findTakenEffort, type ResolvedConfig } from "@unroll/config";
import type { RequestTail } from "@unroll/core";
import { renderEnvironmentChange, renderPermissionsChange } from "@unroll/prompt";
import type { MessageItem, Person, SandboxMode, ThreadNotes } from "@unroll/protocol";
import { type Approvals, resolveApprovals } from "../approval/approvals.ts";
import type { Sandbox } from "../sandbox/create-sandbox.ts";

/** What can change within a thread. Absent: it stays. The model is told of what concerns it; nothing that was sent changes. */
export type ThreadChange = Partial<
  Pick<
    ResolvedConfig,
    "cwd" | "approvalPolicy" | "sandboxSettings" | "reasoningEffort" | "reasoningSummary" | "verbosity"
  >
>;

/** The same as a program writes it. */
export interface ThreadChangeOptions extends ThreadChange {
  /** How far commands may reach, with the other settings of the sandbox as they are. Goes before the mode of `sandboxSettings`. */
  readonly sandboxMode?: SandboxMode;
}

/** What holds for the next call and the next request of a thread. Whoever needs it reads it here, each time. */
export interface ThreadSettings extends AsyncDisposable {
  readonly config: ResolvedConfig;
  /** With the policy that was settled when the thread was opened, or when its sandbox or working folder was changed. */
  readonly sandbox: Sandbox;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
  /** When a person approves, and who: the policy as it is where nobody is there for it. */
  readonly approvals: Approvals;
  requestTail(): RequestTail;
  /** Returns what a person is to be warned of. */
  change(change: ThreadChange): readonly string[];
  /**
   * Takes out the messages that tell the model what differs from what it was told last; none where nothing that concerns it
   * really changed. Where it was told nothing yet, its first prompt tells it, and that is noted.
   */
  takeChanges(): readonly MessageItem[];
}

export interface ThreadSettingsOptions {
  readonly config: ResolvedConfig;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
  readonly shellName: string;
  /** Remembers what the model was told last, also over a resume. */
  readonly notes: ThreadNotes;
  /** Looks at the disk. */
  readonly openSandbox: (config: ResolvedConfig) => Sandbox;
}

export function createThreadSettings(options: ThreadSettingsOptions): ThreadSettings {
  const { person, shellName, notes, openSandbox } = options;
  let config = options.config;
  let sandbox = openSandbox(config);
  let approvals = resolveApprovals(config, person);
  const sandboxes = new AsyncDisposableStack();
  sandboxes.use(sandbox);
  /** Nothing was changed since it was looked at: it is asked before each request. */
  let isTold = false;

  function takeChanges(): readonly MessageItem[] {
    if (isTold) return [];
    isTold = true;
    const permissions = renderPermissionsChange({ sandboxPolicy: sandbox.policy, approvalPolicy: approvals.policy });
    const environment = renderEnvironmentChange({ cwd: config.cwd, shellName });
    const told = notes.get("told");
    const now = { permissions: JSON.stringify(permissions), environment: JSON.stringify(environment) };
    if (told?.permissions === now.permissions && told.environment === now.environment) return [];
    notes.set("told", now);
    return [
      ...(told === null || told.permissions === now.permissions ? [] : [permissions]),
      ...(told === null || told.environment === now.environment ? [] : [environment]),
    ];
  }

  return {
    get config() {
      return config;
    },
    get sandbox() {
      return sandbox;
    },
    person,
    get approvals() {
      return approvals;
    },
    requestTail: () => toRequestTail(config),
    change(change) {
      const next = { ...config, ...change };
      // commands that still run keep the walls that they were started in
      const isMoved = change.cwd !== undefined || change.sandboxSettings !== undefined;
      if (isMoved) sandbox = sandboxes.use(openSandbox(next));
      config = next;
      isTold = false;
      approvals = resolveApprovals(config, person);
      return isMoved ? sandbox.warnings : [];
    },
    takeChanges,
    [Symbol.asyncDispose]: () => sandboxes.disposeAsync(),
  };
}

/** Settings that the model family does not know are left out: servers refuse them. */
function toRequestTail(config: ResolvedConfig): RequestTail {
  const { modelFamily: family, reasoningSummary: summary, verbosity } = config;
  const effort = config.reasoningEffort === null ? null : findTakenEffort(config.reasoningEffort, family);
  const hasSummary = summary !== "none" && family.supportsReasoningSummaries;
  const hasReasoning = family.supportsReasoning && (hasSummary || effort !== null);
  const reasoning = { ...(effort === null ? {} : { effort }), ...(hasSummary ? { summary } : {}) };
  return {
    ...(hasReasoning ? { reasoning } : {}),
    ...(family.supportsVerbosity && verbosity !== null ? { verbosity } : {}),
  };
}
