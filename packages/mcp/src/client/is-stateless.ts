import type { Client } from "@modelcontextprotocol/client";

/** Whether the server that was greeted keeps nothing between two requests (protocol 2026-07-28 and later). */
export function isStateless(client: Client): boolean {
  return client.getProtocolEra() === "modern";
}
