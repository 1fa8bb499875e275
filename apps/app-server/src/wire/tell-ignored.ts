import type { ClientMethod } from "@unroll/app-server-protocol";
import type { Client } from "./client.ts";

/** The members that each client got a warning about. */
const told = new WeakMap<Client, Set<string>>();

/** Warns a client of ignored members, once for each method and member. */
export function tellIgnored(client: Client, method: ClientMethod, places: readonly string[]): void {
  const known = told.get(client) ?? new Set();
  told.set(client, known);
  const fresh = places.filter((place) => !known.has(`${method} ${place}`));
  for (const place of fresh) known.add(`${method} ${place}`);
  if (fresh.length === 0) return;
  const message = `${method}: ignored ${fresh.join(", ")}: unroll does not know ${fresh.length === 1 ? "this member" : "these members"}.`;
  client.notify({ method: "warning", params: { threadId: null, message } });
}
