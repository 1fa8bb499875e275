import type { ThreadSummary } from "@unroll/protocol";
import type { FoundThread } from "@unroll/rollout";
import type { Row } from "./database.ts";

/** The columns of a thread that `toFound` and `toSummary` read. */
export const threadColumns = `t.id, t.facts, t.archived_at is not null as archived, h.bytes::float8 as bytes,
  (extract(epoch from t.used_at) * 1000)::float8 as used_at`;

export function toBytes(row: Row): Uint8Array {
  return row["bytes"] as Buffer; // a `bytea`
}

export function toFound(row: Row, place: string): FoundThread {
  const threadId = String(row["id"]);
  return {
    threadId,
    isArchived: row["archived"] === true,
    usedAt: Number(row["used_at"]),
    size: Number(row["bytes"]),
    place: `${place}#${threadId}`,
  };
}

export function toSummary(row: Row): ThreadSummary {
  const facts = row["facts"] as Omit<ThreadSummary, "threadId" | "usedAt" | "size">; // as this package wrote them
  return { ...facts, threadId: String(row["id"]), usedAt: Number(row["used_at"]), size: Number(row["bytes"]) };
}
