import type { McpHttpServerOptions } from "../server-options.ts";
import { ServerFault } from "../session/server-fault.ts";

/** What every request to a server carries, its bearer token too. Throws `ServerFault` `not_started`. */
export function resolveHeaders({ headers, bearerToken }: McpHttpServerOptions): Headers {
  try {
    const resolved = new Headers(
      Object.entries(headers).map(([name, value]): [string, string] => [name, value.reveal()]),
    );
    if (bearerToken !== null) resolved.set("authorization", `Bearer ${bearerToken.reveal()}`);
    return resolved;
  } catch {
    const message = "it has a header that HTTP does not allow: check its http_headers and the variables it names";
    throw new ServerFault("not_started", message);
  }
}
