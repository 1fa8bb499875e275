import type { OpenedThread, WireThread, WireThreadStatus, WireTurn } from "@unroll/app-server-protocol";
import { describeKept } from "@unroll/front-end";
import type { ProcessIo } from "@unroll/program";
import type { StoredThread, ThreadSummary } from "@unroll/protocol";
import type { LiveThread } from "../thread/threads.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { toActive } from "../map/to-wire-turn.ts";

interface ServerFacts {
  readonly version: string;
  readonly io: Pick<ProcessIo, "cwd" | "now">;
}

type OwnMembers = Pick<WireThread, "id" | "createdAt" | "modelProvider" | "model" | "cwd"> & Partial<WireThread>;

function describe(own: OwnMembers, { version }: ServerFacts): WireThread {
  return {
    sessionId: own.id,
    forkedFromId: null,
    parentThreadId: null,
    preview: "",
    name: null,
    ephemeral: false,
    updatedAt: own.createdAt,
    status: { type: "notLoaded" },
    path: null,
    cliVersion: version,
    source: "appServer",
    gitInfo: null,
    turns: [],
    ...own,
  };
}

export function toStatus({ thread, follower }: LiveThread): WireThreadStatus {
  return thread.isRunning ? toActive(follower.isAsking) : { type: "idle" };
}

export function describeLive(live: LiveThread, turns: readonly WireTurn[], server: ServerFacts): WireThread {
  const { id, config, preview, name, isEphemeral, forkedFrom, createdAt, usedAt } = live.thread;
  const own = {
    id,
    preview,
    name,
    status: toStatus(live),
    ephemeral: isEphemeral,
    forkedFromId: forkedFrom,
    modelProvider: config.provider.id,
    model: config.model,
    createdAt: toSeconds(createdAt),
    updatedAt: toSeconds(usedAt),
    cwd: config.cwd,
    turns: [...turns],
  };
  return describe(own, server);
}

export function describeSummary(
  summary: ThreadSummary,
  status: WireThreadStatus | null,
  server: ServerFacts,
): WireThread {
  const { threadId, createdAt, usedAt, cwd, branch, name, title, model, provider } = summary;
  const own = {
    id: threadId,
    preview: title ?? "",
    name,
    createdAt: toSeconds(createdAt),
    updatedAt: toSeconds(usedAt),
    modelProvider: provider ?? "",
    model,
    cwd: cwd ?? server.io.cwd,
    status: status ?? ({ type: "notLoaded" } as const),
    gitInfo: branch === null ? null : { branch, sha: null, originUrl: null },
  };
  return describe(own, server);
}

export function describeStored(stored: StoredThread, turns: readonly WireTurn[], server: ServerFacts): WireThread {
  return { ...describeSummary(describeKept(stored), null, server), turns: [...turns] };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

export function toOpened(live: LiveThread, turns: readonly WireTurn[], server: ServerFacts): OpenedThread {
  const { sandboxPolicy: sandbox, effort: reasoningEffort, summary: _, ...own } = toWireSettings(live.thread.config);
  return { thread: describeLive(live, turns, server), ...own, sandbox, reasoningEffort, instructionSources: [] };
}
