import type { EgressEvent } from "@unroll/egress";
import type { CommandSpec, HostClosedEvent, HostEvent } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";

/** The hosts that one command wanted to reach. */
export interface HostTrace {
  readonly hear: (event: EgressEvent) => void;
  /** The hosts that were denied, in sentences. */
  readonly denials: () => readonly string[];
  /** Call it when the command's connections have ended: reports how much they moved. Nothing counts after it. */
  readonly close: () => void;
}

/** A command may ask for any number of hosts that are denied. Events and the model's output name so many. */
const mostDenials = 100;

/** `report` gets an event once for each host and result, and one for each host with the sum of its connections. */
export function createHostTrace(spec: CommandSpec, report: (event: HostEvent) => void): HostTrace {
  const trace = { item_id: spec.itemId ?? null, command: quoteArgv(spec.argv) };
  const told = new Set<string>();
  const denials: string[] = [];
  const closed = new Map<string, HostClosedEvent>();
  let isClosed = false;
  let moreDenied = 0;

  const tellOnce = (event: HostEvent): void => {
    const key = JSON.stringify(event);
    if (!told.has(key)) report(event);
    told.add(key);
  };
  return {
    hear(event) {
      if (isClosed) return; // of a connection that was still being made; nothing moved on it
      if (event.type === "host.denied" && !denials.includes(event.reason)) {
        if (denials.length === mostDenials) return void (moreDenied += 1);
        denials.push(event.reason);
      }
      if (event.type !== "host.closed") return tellOnce({ ...event, ...trace });
      const { host, port, sentBytes, receivedBytes } = event;
      const key = `${host}:${String(port)}`;
      const before = closed.get(key) ?? {
        type: "host.closed",
        ...trace,
        host,
        port,
        connections: 0,
        sent_bytes: 0,
        received_bytes: 0,
      };
      closed.set(key, {
        ...before,
        connections: before.connections + 1,
        sent_bytes: before.sent_bytes + sentBytes,
        received_bytes: before.received_bytes + receivedBytes,
      });
    },
    denials: () => denials,
    close() {
      isClosed = true;
      if (moreDenied > 0) {
        const reason = `${moreDenied} more connections were denied.`;
        denials.push(reason);
        report({ type: "host.denied", ...trace, host: null, port: null, rule: null, reason });
        moreDenied = 0;
      }
      for (const event of closed.values()) report(event);
      closed.clear();
    },
  };
}
