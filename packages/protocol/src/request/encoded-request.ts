/**
 * A request body as the byte chunks that make it up, in order. The chunks are shared with the transcript: never write
 * into them. All but the last chunk are an exact byte prefix of the same thread's next request.
 */
export interface EncodedRequest {
  readonly threadId: string;
  readonly turnId: string;
  readonly chunks: readonly Uint8Array[];
}
