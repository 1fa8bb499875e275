import type { ApprovalPolicy, SandboxMode, ThreadEvent } from "@unroll/protocol";

/** The settings of a thread that refuse calls. */
export interface RefusingSettings {
  readonly sandboxMode: SandboxMode;
  readonly approvalPolicy: ApprovalPolicy;
  readonly isPlanning: boolean;
}

/**
 * The setting that refused a call without asking anybody. `read_only`: the sandbox lets nothing be written. `always_asks`: the approval policy
 * asks before each edit, and nobody can answer.
 */
export type EditRefusal = "read_only" | "always_asks";

/** Finds refused calls of one thread. */
export interface RefusalWatch {
  /** The refusal that an event shows, if it is the first one of its kind; null: it shows none. */
  see(event: ThreadEvent, settings: RefusingSettings): EditRefusal | null;
}

/** Watches the events of one thread, so that you learn once how to let the model edit. Plan mode explains itself. */
export function createRefusalWatch(): RefusalWatch {
  const asked = new Set<string>();
  const seen = new Set<EditRefusal>();
  return {
    see(event, settings) {
      if (event.type === "question.asked" && event.item_id !== null) asked.add(event.item_id);
      const refusal = findRefusal(event, settings, asked);
      if (refusal === null || seen.has(refusal)) return null;
      seen.add(refusal);
      return refusal;
    },
  };
}

function findRefusal(event: ThreadEvent, settings: RefusingSettings, asked: ReadonlySet<string>): EditRefusal | null {
  if (event.type !== "item.completed" || settings.isPlanning) return null;
  const { item } = event;
  const isReadOnly = settings.sandboxMode === "read-only";
  if (item.type === "command_execution") return isReadOnly && item.code === "sandbox_denied" ? "read_only" : null;
  if (item.type !== "file_change" || item.status !== "declined" || asked.has(item.id)) return null;
  if (settings.approvalPolicy === "untrusted") return "always_asks";
  return isReadOnly ? "read_only" : null;
}
