import type { Readable } from "node:stream";
import type { CommandOutput } from "@unroll/protocol";
import { countWholeBytes } from "@unroll/text";

/** A piece of output as bytes that end on a character boundary. */
export interface OutputPiece {
  readonly stream: CommandOutput["stream"];
  readonly bytes: Buffer;
}

/**
 * The streams of a child as one, in order of arrival. Reading pulls: unread output stays in the
 * pipe and slows the child down.
 */
export interface OutputSource {
  /** The next piece; null: none has arrived. */
  read(): OutputPiece | null;
  /** Whether every stream has ended. */
  ended(): boolean;
}

interface SourceStream {
  readonly name: CommandOutput["stream"];
  readonly readable: Readable;
  /** The start of a character whose rest has not arrived. */
  carry: Buffer;
  ended: boolean;
}

/** `wake` is called whenever `read` or `ended` may give a new result. */
export function createOutputSource(
  readables: Readonly<Partial<Record<CommandOutput["stream"], Readable>>>,
  wake: () => void,
): OutputSource {
  const streams = (["stdout", "stderr"] as const).flatMap((name): SourceStream[] => {
    const readable = readables[name];
    return readable === undefined ? [] : [{ name, readable, carry: Buffer.alloc(0), ended: false }];
  });
  const arrived: SourceStream[] = [];
  for (const stream of streams) {
    listen(stream, () => {
      if (!arrived.includes(stream)) arrived.push(stream);
      wake();
    });
  }

  function read(): OutputPiece | null {
    for (let stream = arrived[0]; stream !== undefined; stream = arrived[0]) {
      const bytes = readWholeCharacters(stream);
      if (bytes.length > 0) return { stream: stream.name, bytes };
      arrived.shift();
    }
    return null;
  }

  return { read, ended: () => arrived.length === 0 && streams.every((stream) => stream.ended) };
}

function listen(stream: SourceStream, arrive: () => void): void {
  const end = (): void => {
    stream.ended = true;
    arrive();
  };
  stream.readable.on("readable", arrive);
  stream.readable.on("end", end);
  stream.readable.on("close", end);
  // A terminal reports the end of its last process as an error.
  stream.readable.on("error", end);
}

function readWholeCharacters(stream: SourceStream): Buffer {
  const chunk: unknown = stream.readable.read();
  const bytes = Buffer.isBuffer(chunk) ? join(stream.carry, chunk) : stream.carry;
  const length = stream.ended ? bytes.length : countWholeBytes(bytes);
  stream.carry = bytes.subarray(length);
  return bytes.subarray(0, length);
}

function join(carry: Buffer, chunk: Buffer): Buffer {
  return carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
}
