import { toFields } from "@unroll/protocol";
import { parseFacts } from "../line/parse-facts.ts";
import { ThreadStoreError } from "../thread-store-error.ts";

/** A thread to add. */
export interface ImportedThread {
  readonly threadId: string;
  /** In ms since 1970; 0: it does not say. */
  readonly createdAt: number;
  /** All of them. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

const newline = 0x0a;
/** Longer than any first line, which has the instructions of some programs. In bytes. */
const mostOpeningBytes = 16 * 1024 * 1024;
/** Such an id can be part of a file's name. */
const idPattern = /^\w[\w-]{0,99}$/;

/** Reads the first line, which names the thread. Throws `ThreadStoreError` `thread_unreadable`. */
export async function readImport(bytes: AsyncIterable<Uint8Array>): Promise<ImportedThread> {
  const parts = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (!start.includes(newline)) {
    const part = await parts.next();
    if (part.done === true || start.length > mostOpeningBytes) throw refuse("its first line has no end");
    start = Buffer.concat([start, part.value]);
  }
  const line = start.subarray(0, start.indexOf(newline));
  const { createdAt = null } = parseFacts(line);
  const threadId = createdAt === null ? null : toFields(toFields(JSON.parse(line.toString()))["payload"])["id"];
  if (createdAt === null) throw refuse("it does not begin with a session_meta");
  if (typeof threadId !== "string" || !idPattern.test(threadId)) throw refuse("its session_meta has no valid id");
  const all = async function* (): AsyncGenerator<Uint8Array, void> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => parts };
  };
  return { threadId, createdAt, bytes: all() };
}

function refuse(why: string): ThreadStoreError {
  return new ThreadStoreError("thread_unreadable", `This is not a thread: ${why}.`);
}
