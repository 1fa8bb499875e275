import type { ClientMethod } from "@unroll/app-server-protocol";
import { createIgnoredReport, type IgnoredReport } from "@unroll/thread-host/wire";
import type { Client } from "./client.ts";

const reports = new WeakMap<Client, IgnoredReport>();

/** Warns a client of ignored members, once for each method and member. */
export function tellIgnored(client: Client, method: ClientMethod, places: readonly string[]): void {
  const report = reports.get(client) ?? createIgnoredReport();
  reports.set(client, report);
  const message = report(method, places);
  if (message !== null) client.notify({ method: "warning", params: { threadId: null, message } });
}
