import type { ResolvedConfig } from "@unroll/config";
import type { JournalEntry } from "@unroll/protocol";

type ThreadOpened = Extract<JournalEntry, { readonly type: "thread.opened" }>;

/** A thread that goes on keeps its model, for the prefix's sake: said where the config names another one. */
export function warnOfModel(opened: ThreadOpened | null, { model }: ResolvedConfig): readonly string[] {
  const kept = readModel(opened?.head ?? null);
  if (kept === null || kept === model) return [];
  return [`This thread goes on with its model, ${kept}; the config names ${model}. Begin a new thread for that.`];
}

/** A head is a request up to its input. */
function readModel(head: Uint8Array | null): string | null {
  if (head === null) return null;
  const request: unknown = JSON.parse(`${new TextDecoder().decode(head)}]}`);
  const has = typeof request === "object" && request !== null && "model" in request;
  return has && typeof request.model === "string" ? request.model : null;
}
