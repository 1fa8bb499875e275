import { type JsonFields, toFields } from "@unroll/protocol";

/** A line of the Codex CLI about a turn of its own. */
export type TaskLine =
  /** Id null: the line does not say. */
  | { readonly type: "started"; readonly turnId: string | null }
  | { readonly type: "completed" }
  | { readonly type: "interrupted" };

/** Reads the payload of an `event_msg`. Versions before tasks write only `turn_aborted`. Null: it is about something else. */
export function parseTask(payload: JsonFields): TaskLine | null {
  switch (payload["type"]) {
    case "task_started":
    case "turn_started": {
      const id = payload["turn_id"] ?? toFields(payload["turn_attribution"])["turn_id"];
      return { type: "started", turnId: typeof id === "string" ? id : null };
    }
    case "task_complete":
    case "turn_complete":
      return { type: "completed" };
    case "turn_aborted":
      return { type: "interrupted" };
  }
  return null;
}
