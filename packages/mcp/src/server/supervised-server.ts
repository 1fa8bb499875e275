import { join } from "node:path";
import type { McpFailure } from "@unroll/protocol";
import { redact } from "../fault/redact.ts";
import { ServerFault } from "../fault/server-fault.ts";
import { toFailure } from "../fault/to-failure.ts";
import type { ResolvedServer } from "../settings/resolved-server.ts";
import { toServerKey } from "../tool/tool-names.ts";
import { type LiveServer, openLiveServer } from "./live-server.ts";
import type { ServerContext } from "./server-context.ts";
import { createServerLog } from "./server-log.ts";
import { createServerRecord, type ServerRecord } from "./server-record.ts";

/** One server, from its first, immediate start through all its restarts. */
export interface SupervisedServer extends Pick<ServerRecord, "status" | "history"> {
  readonly type: "server";
  readonly settings: ResolvedServer;
  readonly sleep: ServerContext["sleep"];
  /** How its first start ended. Never rejects. */
  readonly started: Promise<LiveServer | McpFailure>;
  /** Starts it unless it runs. Never rejects; concurrent callers share one start. */
  start(): Promise<LiveServer | McpFailure>;
  /** Gives up this life of it: the next start is a new one. */
  drop(live: LiveServer): Promise<void>;
  /** Converts a request's fault for a caller. */
  explain(fault: ServerFault): McpFailure;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

const maxLogBytes = 1_024 * 1_024;

export function superviseServer(settings: ResolvedServer, context: ServerContext): SupervisedServer {
  const log = createServerLog(join(context.logDirectory, `${toServerKey(settings.id)}.log`), maxLogBytes);
  const closed = new AbortController();
  const record = createServerRecord(settings, { tell: context.tell, isClosed: () => closed.signal.aborted });
  const { status, history, tell } = record;
  let starting: Promise<LiveServer | McpFailure> | null = null;

  async function open(): Promise<LiveServer | McpFailure> {
    record.begin();
    log.forgetTail();
    const startedAt = context.elapsed();
    const write = (line: string): Promise<void> => log.write(context.mask(redact(line, settings)));
    try {
      const options = { ...context, tell, signal: closed.signal, log: write, onEnded: record.end };
      const live = await openLiveServer(settings, options);
      record.succeed(live, context.elapsed() - startedAt);
      return live;
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      record.fail(error, log.tail());
      return toFailure(error, settings, log.tail());
    }
  }

  async function start(): Promise<LiveServer | McpFailure> {
    const current = status();
    if (current.type === "ready") return current;
    starting ??= open().finally(() => (starting = null));
    return starting;
  }

  return {
    type: "server",
    settings,
    sleep: context.sleep,
    started: start(),
    status,
    history,
    start,
    async drop(live) {
      if (status() === live) record.end("it has forgotten us");
      await live.connection.close();
    },
    explain: (fault) => toFailure(fault, settings, log.tail()),
    async close() {
      closed.abort();
      const last = (await starting) ?? status();
      if (last.type === "ready") await last.connection.close();
      await log.close();
    },
  };
}
