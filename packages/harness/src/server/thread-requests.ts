import type { RefusedMember } from "@unroll/config";
import { createRequestEncoder, type RequestEncoder, withTail } from "@unroll/core";
import { type RequestHead, toRequestHead } from "@unroll/protocol";
import { leaveOutOfHead, type Members, omitMembers } from "./request-members.ts";

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
  readonly head: RequestHead;
  /** The parts that are left out now. */
  readonly omitted: () => readonly RefusedMember[];
  /** Records the head that replaces the one before. */
  readonly onHead: (head: RequestHead) => void;
}

export function createThreadRequests({ threadId, head, omitted, onHead }: ThreadRequestsOptions): ThreadRequests {
  let current = createRequestEncoder({ threadId, ...head });
  let lastTail: Members = {};

  function begin(changed: Parameters<ThreadRequests["begin"]>[0]): void {
    const own = changed === undefined ? current.head : toRequestHead({ ...current.head.fields, ...changed });
    const left = leaveOutOfHead(own, omitted());
    if (left === current.head) return;
    current = createRequestEncoder({ threadId, ...left });
    onHead(left);
  }

  /** The same requests without what is refused behind the input. */
  function withOwnTail(requests: RequestEncoder): RequestEncoder["encode"] {
    return (transcript, tail, turnId) => {
      const request = requests.encode(transcript, tail, turnId);
      lastTail = omitMembers(request.data.tail, omitted());
      return lastTail === request.data.tail ? request : withTail(request, lastTail);
    };
  }

  begin(undefined);
  return {
    get head() {
      return current.head;
    },
    get members() {
      return { ...current.head.fields, ...lastTail };
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
