import { setTimeout as delay } from "node:timers/promises";
import { createWatchdog } from "@unroll/process-tree";
import { checkShape } from "@unroll/text";
import type { McpEvent } from "../server/mcp-event.ts";
import type { McpGraces, ServerContext } from "../server/server-context.ts";
import { superviseServer } from "../server/supervised-server.ts";
import { resolveServer } from "../settings/resolved-server.ts";
import { joinServers } from "../view/join-servers.ts";
import type { McpPool, McpPoolOptions } from "./mcp-pool.ts";

const defaultMessageBytes = 10 * 1_024 * 1_024;
const defaultGraces: McpGraces = { quietMs: 300, termMs: 700, killMs: 1_000, drainMs: 200, goodbyeMs: 500 };
const required = {
  servers: "a list",
  variables: "an object",
  cwd: "text",
  newId: "a function",
  elapsed: "a function",
} as const;

/**
 * Starts all enabled servers at the same time, in the background, and returns at once. If none is
 * enabled, nothing is loaded and nothing runs.
 */
export function openMcpPool(options: McpPoolOptions): McpPool {
  checkShape("openMcpPool", options, required);
  const { servers: configured, variables, cwd, elapsed, sleep = sleepBySystem } = options;
  const { maxMessageBytes = defaultMessageBytes, mask = (text) => text } = options;
  const graces = { ...defaultGraces, ...options.graces };
  const markerPrefix = `${options.newId()}.`;
  const watchdog = createWatchdog(markerPrefix, graces.termMs);
  const listeners = new Set<(event: McpEvent) => void>();
  let starts = 0;
  const context: ServerContext = {
    ...options,
    maxMessageBytes,
    mask,
    graces,
    sleep,
    watchdog,
    newMarker: () => `${markerPrefix}${(starts += 1)}`,
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
  const servers = configured
    .filter(({ enabled }) => enabled)
    .map((server) => superviseServer(resolveServer(server, variables, cwd), context));

  function onEvent(listener: (event: McpEvent) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    join: (joining) => joinServers({ configured, servers, elapsed, sleep, onEvent }, joining),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
      await watchdog.close();
    },
  };
}

async function sleepBySystem(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
