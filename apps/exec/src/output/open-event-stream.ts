import { closeSync, createWriteStream, fstatSync, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { ProgramError } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";

/**
 * The descriptor of `--events-fd`, opened again: every command that we start would inherit the one that we were given,
 * which could then write events itself. To be called before inherited descriptors are closed. Throws `ProgramError` if
 * there is none, or for a socket, which cannot be opened again.
 */
export function openEventStream(descriptor: number): Writable {
  const flag = `--events-fd ${descriptor}`;
  try {
    if (fstatSync(descriptor).isSocket()) {
      throw new ProgramError("usage", `${flag}: is a socket, which commands would inherit. Use a pipe or a file.`);
    }
    const stream = createWriteStream("", { fd: openSync(`/dev/fd/${descriptor}`, "a") });
    closeSync(descriptor);
    return stream;
  } catch (error) {
    if (error instanceof ProgramError) throw error;
    const isClosed = ["EBADF", "ENXIO"].includes(systemErrorCode(error) ?? ""); // ENXIO: one that Node.js opened for itself
    const message = isClosed
      ? `${flag}: is not open. Open it where you start unroll, such as ${descriptor}>events.jsonl in a shell.`
      : `${flag}: cannot be written: ${describeSystemError(error)}.`;
    throw new ProgramError("usage", message, { cause: error });
  }
}
