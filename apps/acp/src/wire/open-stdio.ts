import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk/unstable";
import type { ProcessIo } from "@unroll/program";

/** The lines of stdin and stdout as messages. A write waits until the client accepted it. */
export function openStdio({ stdin, stdout }: Pick<ProcessIo, "stdin" | "stdout">): Stream {
  const chunks: AsyncIterator<unknown> = stdin.stream[Symbol.asyncIterator]();
  const input = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done === true) controller.close();
      else controller.enqueue(chunk.value instanceof Uint8Array ? chunk.value : Buffer.from(String(chunk.value)));
    },
    cancel: () => void stdin.stream.destroy(),
  });
  stdout.stream.on("error", () => {}); // each write says so itself
  const output = new WritableStream<Uint8Array>({ write: (bytes) => writeAll(stdout.stream, bytes) });
  return ndJsonStream(output, input);
}

function writeAll(stream: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  return promise;
}
