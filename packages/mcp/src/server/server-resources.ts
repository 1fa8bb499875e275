import type { McpFailure, McpResourceList, McpResourceOutcome, McpResourceQuery } from "@unroll/protocol";
import type { ResourcePage, ResourcePageQuery } from "../client/connection.ts";
import { withDeadline } from "../client/with-deadline.ts";
import type { LiveServer } from "./live-server.ts";
import type { SupervisedServer } from "./supervised-server.ts";
import { useServer } from "./use-server.ts";

/** How many pages of each server a list of all servers includes. */
const maxPages = 20;

type ListedPage = { readonly type: "listed" } & ResourcePage;

/** One page of a server's resources. */
export async function listServerResources(
  server: SupervisedServer,
  query: ResourcePageQuery,
  signal: AbortSignal,
): Promise<McpResourceList> {
  const page = await readPage(server, query, signal);
  return page.type === "failed" ? page : { ...page, failures: [] };
}

/** The resources of all servers. A server that fails does not affect the others. */
export async function listAllResources(
  servers: readonly SupervisedServer[],
  kind: McpResourceQuery["kind"],
  signal: AbortSignal,
): Promise<McpResourceList> {
  const lists = await Promise.all(
    servers.map(async (server) => ({
      server: server.settings.id,
      pages: await readPages(server, kind, signal),
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
  server: SupervisedServer,
  uri: string,
  signal: AbortSignal,
): Promise<McpResourceOutcome> {
  return ask(server, signal, async ({ connection }, limit) => ({
    type: "read",
    contents: await connection.readResource(uri, limit),
  }));
}

async function readPages(
  server: SupervisedServer,
  kind: McpResourceQuery["kind"],
  signal: AbortSignal,
): Promise<readonly (ListedPage | McpFailure)[]> {
  const pages: (ListedPage | McpFailure)[] = [];
  let cursor: string | null = null;
  do {
    const page: ListedPage | McpFailure = await readPage(server, { kind, cursor }, signal);
    pages.push(page);
    cursor = page.type === "listed" ? page.nextCursor : null;
  } while (cursor !== null && pages.length < maxPages);
  return pages;
}

function readPage(
  server: SupervisedServer,
  query: ResourcePageQuery,
  signal: AbortSignal,
): Promise<ListedPage | McpFailure> {
  const { id } = server.settings;
  return ask(server, signal, async ({ connection }, limit) => {
    const { entries, nextCursor } = await connection.listResources(query, limit);
    return { type: "listed", entries: entries.map((entry) => ({ ...entry, server: id })), nextCursor };
  });
}

function ask<Result>(
  server: SupervisedServer,
  signal: AbortSignal,
  run: (live: LiveServer, limit: AbortSignal) => Promise<Result>,
): Promise<Result | McpFailure> {
  const { settings, sleep } = server;
  const { toolTimeoutMs: timeoutMs } = settings;
  return useServer(server, signal, (live) => {
    const describeTimeout = (): string =>
      `it did not answer within ${timeoutMs / 1000} s${live.describeSilence()}; tool_timeout_sec sets the time`;
    return withDeadline({ signal, sleep, timeoutMs, describeTimeout }, (limit) => run(live, limit));
  });
}
