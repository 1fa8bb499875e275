import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import type { ProcessIo } from "@unroll/program";

/** The lines of stdin and stdout as messages. What is written waits until it was taken. */
export function openStdio({ stdin, stdout }: Pick<ProcessIo, "stdin" | "stdout">): Stream {
  const chunks: AsyncIterator<unknown> = stdin.stream[Symbol.asyncIterator]();
  const input = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value instanceof Uint8Array ? value : Buffer.from(String(value)));
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
