/** A request to one of the endpoints below `base_url`. */
export interface Call {
  readonly path: "/responses";
  /** The content type that is asked for; an answer of another is refused. */
  readonly accept: "text/event-stream";
  readonly threadId: string;
  readonly body: readonly Uint8Array[];
}
