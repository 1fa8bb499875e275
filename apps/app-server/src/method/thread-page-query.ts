import type { ClientParams } from "@unroll/app-server-protocol";
import type { readThreadPage } from "@unroll/thread-host";
import type { ThreadSummary } from "@unroll/protocol";

type Filters = ClientParams<"thread/list">;
type PageQuery = Parameters<typeof readThreadPage>[1];

/** The filters and the order of `thread/list`. */
export function toThreadPageQuery(filters: Filters): PageQuery {
  const { cursor = null, limit = null, archived, sortKey, sortDirection } = filters;
  const isWanted = createFilter(filters);
  const query = { cursor, size: limit, isWanted, archived: archived === true };
  const isByUse = sortKey !== "created_at";
  if (isByUse && sortDirection !== "asc") return query;
  const time = ({ usedAt, createdAt }: ThreadSummary): number => (isByUse ? usedAt : createdAt);
  const sign = sortDirection === "asc" ? 1 : -1;
  return { ...query, compare: (left, right) => sign * (time(left) - time(right)) };
}

function createFilter(filters: Filters): (thread: ThreadSummary) => boolean {
  const { cwd, modelProviders, sourceKinds, searchTerm, excludedThreadIds, includedThreadIds } = filters;
  const { parentThreadId, ancestorThreadId, attachedToThreadId, sectionId, projectId } = filters;
  if ([ancestorThreadId, attachedToThreadId, sectionId, projectId].some(Boolean)) return () => false;
  const folders = typeof cwd === "string" ? [cwd] : (cwd ?? null);
  const sources: readonly string[] | null = sourceKinds?.length
    ? sourceKinds
    : parentThreadId
      ? null
      : ["cli", "vscode"];
  const term = searchTerm?.toLowerCase() ?? "";
  return ({ threadId, cwd: folder, provider, source, parent, name, title }) =>
    (folders?.includes(folder ?? "") ?? true) &&
    (!modelProviders?.length || modelProviders.includes(provider ?? "")) &&
    (sources?.some((kind) => isOfKind(kind, source ?? "cli")) ?? true) &&
    (!parentThreadId || parent?.threadId === parentThreadId) &&
    `${name ?? ""}\n${title ?? ""}`.toLowerCase().includes(term) &&
    (includedThreadIds?.includes(threadId) ?? true) &&
    excludedThreadIds?.includes(threadId) !== true;
}

/** `subAgent` means all sub-agents; unroll starts them in one way. */
function isOfKind(kind: string, source: string): boolean {
  return kind === source || (kind === "subAgentThreadSpawn" && source === "subAgent");
}
