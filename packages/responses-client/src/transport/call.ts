import type { RequestOrigin } from "./thread-affinity.ts";

/** A request to one of the endpoints below `base_url`. */
export interface Call {
  readonly path: "/responses" | "/responses/compact" | "/models" | "/chat/completions";
  /** The content type that is asked for; an answer of another is refused. */
  readonly accept: "text/event-stream" | "application/json";
  /** Null: it belongs to none. */
  readonly origin: RequestOrigin | null;
  /** Over those of the provider. */
  readonly queryParams: Readonly<Record<string, string>>;
  /** Null: a GET. */
  readonly body: readonly Uint8Array[] | null;
}
