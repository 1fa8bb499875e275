import type { McpHttpServerOptions } from "../server-options.ts";

/** What every request to a server carries, its bearer token too. */
export function resolveHeaders({ headers, bearerToken }: McpHttpServerOptions): Headers {
  const resolved = new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [name, value.reveal()]),
  );
  if (bearerToken !== null) resolved.set("authorization", `Bearer ${bearerToken.reveal()}`);
  return resolved;
}
