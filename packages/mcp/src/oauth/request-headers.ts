import { ServerFault } from "../fault/server-fault.ts";
import type { ResolvedService } from "../settings/resolved-server.ts";

/**
 * The headers of every request to a server, including its bearer token. Throws `ServerFault`
 * `not_started`.
 */
export function toRequestHeaders({ headers, bearerToken }: ResolvedService): Headers {
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
