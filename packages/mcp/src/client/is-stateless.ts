import type { Client } from "@modelcontextprotocol/client";

/** Whether the greeted server keeps no state between requests (protocol 2026-07-28 and later). */
export function isStateless(client: Client): boolean {
  return client.getProtocolEra() === "modern";
}
