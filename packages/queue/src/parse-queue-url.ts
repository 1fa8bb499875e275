import { QueueError } from "./queue-error.ts";

/** The server of a queue, as BullMQ takes it. */
export type QueueServer =
  | { readonly type: "redis"; readonly connection: { readonly url: string } | { readonly path: string } }
  | { readonly type: "postgres"; readonly connection: { readonly connectionString: string } };

/**
 * Reads `redis://`, `rediss://` (TLS), `unix:///path` (Redis on a socket), `postgres://` and
 * `postgresql://`. Throws `QueueError` `queue_url`, which never quotes the URL: it may have a password.
 */
export function parseQueueUrl(url: string): QueueServer {
  const scheme = /^([a-z]+):\/\//.exec(url)?.[1] ?? "";
  if (scheme === "redis" || scheme === "rediss") return { type: "redis", connection: { url } };
  if (scheme === "unix") return { type: "redis", connection: { path: url.slice("unix://".length) } };
  if (scheme === "postgres" || scheme === "postgresql")
    return { type: "postgres", connection: { connectionString: url } };
  const found = scheme === "" ? "no scheme" : `${scheme}://`;
  throw new QueueError(
    "queue_url",
    `The URL of the queue begins with ${found}. Use redis://, rediss://, unix:// or postgres://.`,
  );
}
