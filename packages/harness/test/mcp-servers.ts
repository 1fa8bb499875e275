import type { ThreadEvent } from "@unroll/protocol";
import * as fixture from "@unroll/mcp/fixture/servers";

/** Longer than any server needs. */
const patience = { startup_timeout_sec: 250, tool_timeout_sec: 250 };

const env = { NODE_COMPILE_CACHE: fixture.compiled };

type Keys = Readonly<Record<string, unknown>>;

/** The keys of a server of the tests, for `-c`; it does as the plan says. */
export function fakeServer(id: string, plan: Keys = {}, keys: Keys = {}): readonly string[] {
  const { command, args } = fixture.fakeServer(id, plan);
  return toServer(id, { command, args, env, enabled_tools: ["echo"], ...keys });
}

/** A server that swaps its tools at a call of its tool `swap`. */
export function swapServer(stateFile: string, keys: Keys = {}): readonly string[] {
  const { command, args } = fixture.swapServer("swap", stateFile);
  return toServer("swap", { command, args, env, ...keys });
}

export function realServer(name: "everything" | "filesystem" | "memory", folder?: string): readonly string[] {
  const { command, args } = fixture.realServer(name, folder === undefined ? [] : [folder]);
  return toServer(name, { command, args, env });
}

export function toServer(id: string, keys: Keys): readonly string[] {
  return Object.entries({ ...patience, ...keys }).map(([key, value]) => `mcp_servers.${id}.${key}=${toToml(value)}`);
}

function toToml(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}=${JSON.stringify(each)}`)
    .join(",")}}`;
}

/** `server: state` of each event on a server, in order. */
export function listServerStates(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "mcp.server_updated" ? [`${event.server}: ${event.state.type}`] : [],
  );
}
