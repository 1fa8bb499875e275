/** A request to one of the endpoints below `base_url`. */
export interface Call {
  readonly path: "/responses" | "/responses/compact";
  /** The content type that is asked for; an answer of another is refused. */
  readonly accept: "text/event-stream" | "application/json";
  readonly threadId: string;
  readonly body: readonly Uint8Array[];
}
