import type { ProcessIo } from "@unroll/program";
import type { ThreadStore, ThreadSummary } from "@unroll/protocol";
import { escapeHidden, showHidden } from "@unroll/text";
import { runThreadsCommand } from "./run-threads-command.ts";

/** Returns the exit code. */
export function listThreads({ json }: { readonly json?: boolean }, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* (store: ThreadStore) {
    let count = 0;
    for await (const summary of store.list()) {
      count += 1;
      yield json ? toJson(summary) : toText(summary);
    }
    if (count === 0 && !json) yield "No thread is kept yet.";
  });
}

function toJson({ threadId, createdAt, cwd, title }: ThreadSummary): string {
  return escapeHidden(
    JSON.stringify({ thread_id: threadId, created_at: new Date(createdAt).toISOString(), cwd, title }),
  );
}

function toText({ threadId, createdAt, cwd, title }: ThreadSummary): string {
  const time = new Date(createdAt).toISOString().slice(0, "2026-01-01T00:00".length).replace("T", " ");
  return showHidden(`${threadId}  ${time}  ${cwd ?? "?"}  ${title ?? ""}`.trimEnd());
}
