import type { RefusedMember } from "@unroll/config";
import { createRequestEncoder, type RequestEncoder } from "@unroll/core";
import {
  encodeHead,
  encodeTail,
  leaveOutOfHead,
  type Members,
  omitMembers,
  parseHead,
  parseTail,
} from "./request-members.ts";

/** The requests of a thread, without what its server refused of them. */
export interface ThreadRequests extends RequestEncoder {
  /** All of the request that was made last but its input. */
  readonly members: Members;
  /** Begins the next request with these in place of its own, and without what was refused since. Absent: with its own. */
  begin(changed?: { readonly instructions: string; readonly tools: readonly object[] }): void;
}

export interface ThreadRequestsOptions {
  readonly threadId: string;
  /** As of `RequestEncoder`. */
  readonly head: Uint8Array;
  /** What is left out, as it is now. */
  readonly omitted: () => readonly RefusedMember[];
  /** Writes down the head that another one takes the place of. */
  readonly onHead: (head: Uint8Array) => void;
}

const noTail = encodeTail({});

export function createThreadRequests({ threadId, head, omitted, onHead }: ThreadRequestsOptions): ThreadRequests {
  let current = createRequestEncoder({ threadId, bytes: head });
  let lastTail = noTail;

  function begin(changed: Parameters<ThreadRequests["begin"]>[0]): void {
    const own = changed === undefined ? current.head : encodeHead({ ...parseHead(current.head), ...changed });
    const bytes = leaveOutOfHead(own, omitted());
    if (bytes === current.head) return;
    current = createRequestEncoder({ threadId, bytes });
    onHead(bytes);
  }

  /** The same requests without what is refused behind the input. */
  function withOwnTail(requests: RequestEncoder): RequestEncoder["encode"] {
    return (transcript, tail, turnId) => {
      const request = requests.encode(transcript, tail, turnId);
      const [last = noTail] = request.chunks.slice(-1);
      lastTail = omitted().length === 0 ? last : encodeTail(omitMembers(parseTail(last), omitted()));
      return { ...request, chunks: [...request.chunks.slice(0, -1), lastTail] };
    };
  }

  begin(undefined);
  return {
    get head() {
      return current.head;
    },
    get members() {
      return { ...parseHead(current.head), ...parseTail(lastTail) };
    },
    begin,
    encode: (transcript, tail, turnId) => withOwnTail(current)(transcript, tail, turnId),
    encodeCompaction: (input, turnId) => current.encodeCompaction(input, turnId),
    withInstructions(instructions) {
      const own = current.withInstructions(instructions);
      return { ...own, encode: withOwnTail(own) };
    },
  };
}
