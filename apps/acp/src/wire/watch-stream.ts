import type { AnyMessage, JsonRpcId, Stream } from "@agentclientprotocol/sdk/unstable";

export interface WatchedStream extends Stream {
  /** Resolves when this request of the client was answered: updates sent then follow the answer. */
  answered(id: JsonRpcId): Promise<void>;
}

/**
 * A stream that knows which requests of the client's are open. When the client closes its side, `onLeave` is called, what it
 * asked is answered, and only then the stream ends.
 */
export function watchStream({ readable, writable }: Stream, onLeave: () => void): WatchedStream {
  const open = new Map<JsonRpcId, PromiseWithResolvers<void>>();

  function note(message: AnyMessage): void {
    if ("method" in message && "id" in message) open.set(message.id, Promise.withResolvers<void>());
  }

  function settle(message: AnyMessage): void {
    if ("method" in message || message.id === null) return;
    open.get(message.id)?.resolve();
    open.delete(message.id);
  }

  const noting = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      note(message);
      controller.enqueue(message);
    },
    async flush() {
      onLeave();
      while (open.size > 0) await Promise.all([...open.values()].map(({ promise }) => promise));
    },
  });
  const writer = writable.getWriter();
  return {
    readable: readable.pipeThrough(noting),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        await writer.write(message);
        settle(message);
      },
    }),
    answered: async (id) => open.get(id)?.promise,
  };
}
