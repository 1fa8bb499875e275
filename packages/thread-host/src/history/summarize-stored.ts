import type { StoredThread, ThreadSummary } from "@unroll/protocol";
import { findPreview, readStoredTurns } from "./stored-turns.ts";

/** A saved thread's entry in a list; without its size, and without what its store does not know. */
export function summarizeStored({ threadId, entries, usedAt, path, facts }: StoredThread): ThreadSummary {
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const settings = entries.findLast((entry) => entry.type === "settings")?.settings;
  const named = entries.findLast((entry) => entry.type === "note" && entry.key === "name");
  const createdAt = readBirth(threadId);
  const preview = findPreview(entries);
  return {
    threadId,
    createdAt,
    usedAt: usedAt ?? createdAt,
    cwd: settings?.cwd ?? null,
    name: named?.type === "note" && typeof named.value === "string" ? named.value : null,
    title: preview === "" ? null : preview,
    model: settings?.model ?? opened?.model ?? null,
    provider: opened?.provider ?? null,
    turns: readStoredTurns(entries).length,
    ...(facts ?? { branch: null, usage: null, forkedFrom: null }),
    size: null,
    ...(path !== undefined && { path }),
  };
}

/** A UUID of version 7 begins with its time, in ms since 1970; 0 for another. */
function readBirth(threadId: string): number {
  return Number.parseInt(threadId.replaceAll("-", "").slice(0, 12), 16) || 0;
}
