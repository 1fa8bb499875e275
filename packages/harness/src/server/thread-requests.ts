import { createRequestEncoder, type RequestEncoder } from "@unroll/core";

/** The requests of a thread, whose head may lose members that its server refuses. */
export interface ThreadRequests extends RequestEncoder {
  /** Leaves a member out of the head from the next request on. Returns whether it was there. */
  leaveOut(member: string): boolean;
}

export interface ThreadRequestsOptions {
  readonly threadId: string;
  /** As of `RequestEncoder`. */
  readonly head: Uint8Array;
  /** Writes down the head that another one takes the place of. */
  readonly onHead: (head: Uint8Array) => void;
}

export function createThreadRequests({ threadId, head, onHead }: ThreadRequestsOptions): ThreadRequests {
  let current = createRequestEncoder({ threadId, bytes: head });
  return {
    get head() {
      return current.head;
    },
    encode: (transcript, tail, turnId) => current.encode(transcript, tail, turnId),
    encodeCompaction: (input, turnId) => current.encodeCompaction(input, turnId),
    withInstructions: (instructions) => current.withInstructions(instructions),
    leaveOut(member) {
      const bytes = withoutMember(current.head, member);
      if (bytes === null) return false;
      current = createRequestEncoder({ threadId, bytes });
      onHead(bytes);
      return true;
    },
  };
}

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

/** A head is the JSON of a request up to its input. Null: it has no such member. */
function withoutMember(head: Uint8Array, member: string): Uint8Array | null {
  const request: unknown = JSON.parse(`${decoder.decode(head)}]}`);
  if (typeof request !== "object" || request === null || !Object.hasOwn(request, member)) return null;
  const kept = Object.entries(request).filter(([name]) => name !== member && name !== "input");
  return encoder.encode(`${JSON.stringify(Object.fromEntries(kept)).slice(0, -1)},"input":[`);
}
