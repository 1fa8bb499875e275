import { type FileChange, isFields, type JsonFields, toFields } from "@unroll/protocol";

/** How a call of the Codex CLI ended, as it told programs: beyond what the model reads. */
export interface ToldCall {
  readonly callId: string;
  /** In ms since 1970 and in ms. Null: not told. */
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  /** Null: another kind of call. */
  readonly patch: { readonly changes: readonly FileChange[]; readonly diff: string } | null;
}

/** Reads the payload of an `item_completed` of 0.169, or of a `patch_apply_end` of earlier versions. Null: it is about something else. */
export function parseToldCall(payload: JsonFields): ToldCall | null {
  if (payload["type"] === "patch_apply_end") return toToldCall(payload["call_id"], payload["changes"], payload);
  const { id, type, changes } = toFields(payload["item"]);
  if (type === "FileChange") return toToldCall(id, changes, payload);
  return type === "CommandExecution" ? toToldCall(id, null, payload) : null;
}

function toToldCall(callId: unknown, changes: unknown, payload: JsonFields): ToldCall | null {
  if (typeof callId !== "string") return null;
  const [startedAt, endedAt] = [toTime(payload["started_at_ms"]), toTime(payload["completed_at_ms"])];
  const durationMs = startedAt === null || endedAt === null ? null : endedAt - startedAt;
  return { callId, startedAt, durationMs, patch: isFields(changes) ? toPatch(changes) : null };
}

function toTime(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function toPatch(files: JsonFields): ToldCall["patch"] {
  const read = Object.entries(files).map(([path, file]) => readFile(path, toFields(file)));
  return { changes: read.map(({ change }) => change), diff: read.map(({ diff }) => diff).join("") };
}

function readFile(path: string, file: JsonFields): { readonly change: FileChange; readonly diff: string } {
  const { type, content, unified_diff: hunks, move_path: to } = file;
  const text = typeof content === "string" ? content : "";
  if (type === "add") return { change: { path, kind: "add" }, diff: toDiff("/dev/null", path, toHunk("+", text)) };
  if (type === "delete")
    return { change: { path, kind: "delete" }, diff: toDiff(path, "/dev/null", toHunk("-", text)) };
  const diff = toDiff(path, typeof to === "string" ? to : path, typeof hunks === "string" ? hunks : "");
  if (typeof to !== "string") return { change: { path, kind: "update" }, diff };
  return { change: { path: to, kind: "update", moved_from: path }, diff };
}

function toDiff(from: string, to: string, hunks: string): string {
  return `--- ${from}\n+++ ${to}\n${hunks}`;
}

/** The whole text of a file, as one hunk. */
function toHunk(mark: "+" | "-", text: string): string {
  if (text === "") return "";
  const isEnded = text.endsWith("\n");
  const lines = (isEnded ? text.slice(0, -1) : text).split("\n");
  const range = lines.length === 1 ? "1" : `1,${lines.length}`;
  const head = mark === "+" ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`;
  const ending = isEnded ? "" : "\\ No newline at end of file\n";
  return `${head}\n${lines.map((line) => `${mark}${line}\n`).join("")}${ending}`;
}
