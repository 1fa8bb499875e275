import {
  type CallThreadItem,
  type FileChange,
  isFields,
  type JsonFields,
  readTexts,
  type ResponseItem,
  type ThreadItem,
  type TodoListThreadItem,
  type ToolCallItem,
} from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";
import type { EndedCall } from "../line/parse-line.ts";
import type { ToldCall } from "../line/parse-told-call.ts";
import { readEnd } from "./unroll-0-1/read-end.ts";

/** The thread item for a model item that was saved without one. Null: it is not shown, or it is a call. */
export function toShownItem(item: ResponseItem, id: string, next: ResponseItem | undefined): ThreadItem | null {
  switch (item.type) {
    case "message": {
      if (item.role !== "assistant") return null;
      const cut = findCut(item, next);
      return { id, type: "agent_message", text: readTexts(item.content).join(""), ...(cut && { cut }) };
    }
    case "reasoning": {
      const parts = item.summary.length > 0 ? item.summary : (item.content ?? []);
      const text = parts.map((part) => part.text).join("\n\n");
      return text === "" ? null : { id, type: "reasoning", text };
    }
    case "web_search_call": {
      const { query, url } = item.action ?? {};
      const status = item.status === "failed" ? "failed" : "completed";
      return { id, type: "web_search", query: query ?? url ?? "", action: item.action ?? null, status };
    }
    case "function_call":
    case "custom_tool_call":
    case "function_call_output":
    case "custom_tool_call_output":
    case "compaction":
    case "unknown":
      return null;
  }
}

/**
 * A cut message comes right before the message that reports it to the model. It has our form: servers add a `status` to
 * their messages, which may say it.
 */
function findCut(item: ResponseItem, next: ResponseItem | undefined): "interrupted" | "incomplete" | null {
  if ("status" in item) return item.status === "incomplete" ? "incomplete" : null;
  if (next?.type !== "message" || next.role !== "user") return null;
  const [, tag] = /^<(turn_interrupted|answer_cut)>/.exec(readTexts(next.content).join("")) ?? [];
  return tag === undefined ? null : tag === "answer_cut" ? "incomplete" : "interrupted";
}

/** A call to show, of which only the call and the model's output were saved. */
export interface KeptCall {
  readonly call: ToolCallItem;
  readonly id: string;
  /** Null: there is none. */
  readonly output: string | null;
  /** As unroll 0.1 wrote it down; null: nobody did. */
  readonly ended: EndedCall | null;
  /** As the Codex CLI told programs; null: it told nothing of this call. */
  readonly told: ToldCall | null;
}

/** Built from the call and its output, as far as they have the facts. */
export function toShownCall({ call, id, output, ended, told }: KeptCall): CallThreadItem | TodoListThreadItem {
  const { written, ...read } = readEnd(output);
  const { status, reason, exitCode } = ended ?? read;
  const times = {
    ...(told !== null && told.startedAt !== null && { started_at: told.startedAt }),
    ...(told !== null && told.durationMs !== null && { duration_ms: told.durationMs }),
  };
  const facts = { id, call_id: call.call_id, status, ...times, ...(reason !== null && { reason }) };
  const given = call.type === "function_call" ? parseJson(call.arguments) : call.input;
  const fields = isFields(given) ? given : {};
  const command = readCommand(call, fields);
  if (command !== null) {
    const { workdir: cwd } = fields;
    const item = {
      ...facts,
      type: "command_execution",
      command,
      aggregated_output: written,
      exit_code: exitCode,
    } as const;
    return typeof cwd === "string" ? { ...item, cwd } : item;
  }
  if (told?.patch) return { ...facts, type: "file_change", ...told.patch };
  const changes = listChanges(typeof given === "string" ? given : fields["input"]);
  if (changes.length > 0) return { ...facts, type: "file_change", changes };
  if (call.name === "update_plan") {
    const items = parsePlan(fields);
    if (items !== null) return { id, type: "todo_list", items };
  }
  if (call.name === "view_image" && typeof fields["path"] === "string")
    return { ...facts, type: "image_view", path: fields["path"] };
  return { ...facts, type: "tool_call", tool: call.name, arguments: given, output };
}

const commandTools: readonly string[] = ["shell", "shell_command", "exec_command"];

function readCommand({ name }: ToolCallItem, fields: JsonFields): string | null {
  if (!commandTools.includes(name)) return null;
  const asked = fields["command"] ?? fields["cmd"];
  if (Array.isArray(asked)) return quoteArgv(asked.map(String));
  return typeof asked === "string" ? asked : null;
}

const kinds = { Add: "add", Update: "update", Delete: "delete" } as const;

/** Reads the lines of a patch that name files. */
function listChanges(patch: unknown): readonly FileChange[] {
  if (typeof patch !== "string" || !patch.trimStart().startsWith("*** Begin Patch")) return [];
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb = "Update", path = ""]) => ({
    path,
    kind: kinds[verb as keyof typeof kinds],
  }));
}

function parsePlan({ plan }: JsonFields): TodoListThreadItem["items"] | null {
  if (!Array.isArray(plan)) return null;
  return plan.filter(isFields).map(({ step, status }) => ({ text: String(step), completed: status === "completed" }));
}

/** The text itself if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
