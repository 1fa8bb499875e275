import type { CallThreadItem, FileChange, TodoListThreadItem } from "@unroll/protocol";
import type { DocumentStep } from "@unroll/report";
import { readCommandOutput } from "./read-command-output.ts";

type PastCall = Extract<DocumentStep, { readonly type: "call" }>;
type WithoutId<Item> = Item extends unknown ? Omit<Item, "id"> : never;

/** A call of a thread that was left, as it was shown when it ran: as far as what the model wrote and got tells it. */
export function parsePastCall(call: PastCall): WithoutId<CallThreadItem | TodoListThreadItem> {
  const { form, tool, text, output, ended } = call;
  const end = ended === null ? null : { status: ended.status, ...(ended.reason !== null && { reason: ended.reason }) };
  if (form === "command") {
    const code = ended === null ? {} : { exit_code: ended.exitCode };
    return { type: "command_execution", command: text, ...readCommandOutput(output), ...end, ...code };
  }
  const changes = form === "patch" ? listChanges(text) : [];
  if (changes.length > 0) {
    const status = output?.startsWith("Success") === true ? "completed" : "failed";
    return { type: "file_change", changes, status, ...end };
  }
  const given = parseJson(text);
  if (tool === "update_plan") {
    const items = parsePlan(given);
    if (items !== null) return { type: "todo_list", items };
  }
  if (tool === "view_image" && typeof given === "object" && given !== null && "path" in given)
    return { type: "image_view", path: String(given.path), status: "completed", ...end };
  return { type: "tool_call", tool, arguments: given, output, status: "completed", ...end };
}

const kinds = { Add: "add", Update: "update", Delete: "delete" } as const;

/** Of the lines that name files. */
function listChanges(patch: string): readonly FileChange[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb = "Update", path = ""]) => ({
    path,
    kind: kinds[verb as keyof typeof kinds],
  }));
}

/** The text itself where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parsePlan(given: unknown): TodoListThreadItem["items"] | null {
  const { plan } = (given ?? {}) as { readonly plan?: unknown };
  if (!Array.isArray(plan)) return null;
  return (plan as readonly { readonly step?: unknown; readonly status?: unknown }[]).map(({ step, status }) => ({
    text: String(step),
    completed: status === "completed",
  }));
}
