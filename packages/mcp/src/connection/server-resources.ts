import type { McpFailure, McpResourceList, McpResourceOutcome, McpResourceQuery } from "@unroll/protocol";
import type { ResourcePage, ResourcePageQuery } from "../session/session.ts";
import { withDeadline } from "../session/with-deadline.ts";
import type { LiveServer } from "./live-server.ts";
import type { ServerConnection } from "./server-connection.ts";
import { useServer } from "./use-server.ts";

/** How many pages of each server a list of all servers has. */
const MAX_PAGES = 20;

type ListedPage = { readonly type: "listed" } & ResourcePage;

/** One page of what a server has. */
export async function listServerResources(
  connection: ServerConnection,
  query: ResourcePageQuery,
  signal: AbortSignal,
): Promise<McpResourceList> {
  const page = await readPage(connection, query, signal);
  return page.type === "failed" ? page : { ...page, failures: [] };
}

/** What all servers have; one that cannot be asked does not spoil the answer of the others. */
export async function listAllResources(
  connections: readonly ServerConnection[],
  kind: McpResourceQuery["kind"],
  signal: AbortSignal,
): Promise<McpResourceList> {
  const lists = await Promise.all(
    connections.map(async (connection) => ({
      server: connection.server.id,
      pages: await readPages(connection, kind, signal),
    })),
  );
  return {
    type: "listed",
    entries: lists.flatMap(({ pages }) => pages.flatMap((page) => (page.type === "listed" ? page.entries : []))),
    nextCursor: null,
    failures: lists.flatMap(({ server, pages }) =>
      pages.flatMap((page) => (page.type === "failed" ? [{ server, message: page.message }] : [])),
    ),
  };
}

export function readServerResource(
  connection: ServerConnection,
  uri: string,
  signal: AbortSignal,
): Promise<McpResourceOutcome> {
  return ask(connection, signal, async ({ session }, limit) => ({
    type: "read",
    contents: await session.readResource(uri, limit),
  }));
}

async function readPages(
  connection: ServerConnection,
  kind: McpResourceQuery["kind"],
  signal: AbortSignal,
): Promise<readonly (ListedPage | McpFailure)[]> {
  const pages: (ListedPage | McpFailure)[] = [];
  let cursor: string | null = null;
  do {
    const page: ListedPage | McpFailure = await readPage(connection, { kind, cursor }, signal);
    pages.push(page);
    cursor = page.type === "listed" ? page.nextCursor : null;
  } while (cursor !== null && pages.length < MAX_PAGES);
  return pages;
}

function readPage(
  connection: ServerConnection,
  query: ResourcePageQuery,
  signal: AbortSignal,
): Promise<ListedPage | McpFailure> {
  const server = connection.server.id;
  return ask(connection, signal, async ({ session }, limit) => {
    const { entries, nextCursor } = await session.listResources(query, limit);
    return { type: "listed", entries: entries.map((entry) => ({ ...entry, server })), nextCursor };
  });
}

function ask<Result>(
  connection: ServerConnection,
  signal: AbortSignal,
  run: (live: LiveServer, limit: AbortSignal) => Promise<Result>,
): Promise<Result | McpFailure> {
  const { toolTimeoutMs: timeoutMs } = connection.server;
  return useServer(connection, signal, (live) => {
    const describeTimeout = (): string =>
      `it did not answer within ${timeoutMs / 1000} s${live.describeSilence()}; tool_timeout_sec sets the time`;
    return withDeadline({ signal, timeoutMs, describeTimeout }, (limit) => run(live, limit));
  });
}
