import type { ResponseItem } from "../item/response-item.ts";
import type { RequestHead } from "./parse-request-head.ts";

/**
 * A request body as the byte chunks that make it up, in order. The chunks are shared with the transcript: never write
 * into them. All but the last chunk are an exact byte prefix of the same thread's next request.
 */
export interface RequestBody {
  readonly threadId: string;
  readonly turnId: string;
  readonly chunks: readonly Uint8Array[];
}

/** A request of a thread: its body, and what the body says. */
export interface EncodedRequest extends RequestBody {
  /** The same request as data, for a model client that sends another format (another API, another library). */
  readonly data: RequestData;
}

/** A request body, read. The chunks are its bytes: `head`, the items in the form that the server takes, `tail`. */
export interface RequestData {
  readonly head: RequestHead;
  /** As the thread keeps them. Some servers get them in another form (`item-form`); the chunks have that one. */
  readonly items: readonly ResponseItem[];
  /** The members behind the input (`reasoning`, `text`), as they are sent. */
  readonly tail: Readonly<Record<string, unknown>>;
}
