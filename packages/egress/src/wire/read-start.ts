import type { Socket } from "node:net";

/** The result of reading the first bytes. `length`: how many of them were used. */
export type Start<Value> =
  | { readonly type: "incomplete" }
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "found"; readonly value: Value; readonly length: number };

/** A result that is settled. */
export type KnownStart<Value> = Exclude<Start<Value>, { readonly type: "incomplete" }>;

/**
 * Reads a socket until `read` knows. The socket is paused then, and still holds the bytes that were
 * not used. The reader bounds the bytes: it must not answer `incomplete` for ever.
 */
export function readStart<Value>(socket: Socket, read: (bytes: Buffer) => Start<Value>): Promise<KnownStart<Value>> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const finish = (start: KnownStart<Value>): void => {
      socket.off("data", take).off("end", lose).off("close", lose);
      socket.pause();
      const rest = bytes.subarray(start.type === "found" ? start.length : 0);
      if (rest.length > 0 && !socket.destroyed) socket.unshift(rest);
      resolve(start);
    };
    const take = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const start = read(bytes);
      if (start.type !== "incomplete") finish(start);
    };
    const lose = (): void => {
      bytes = Buffer.alloc(0);
      finish({ type: "broken", reason: "the connection ended before it said what it wants" });
    };
    socket.on("data", take).on("end", lose).on("close", lose);
    socket.resume();
  });
}
