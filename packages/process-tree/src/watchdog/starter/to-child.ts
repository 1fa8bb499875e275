import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Child, ChildExit } from "../../spawn/child.ts";

/** A starter's report about a process that it has started. */
export interface StartedProcess {
  readonly pid: number;
  /** The starter's own descriptors of the pipes: stdout, stderr, and stdin if it is open. */
  readonly pipes: readonly number[];
  /** Never rejects. */
  readonly exited: Promise<ChildExit>;
}

/**
 * Reopens the pipes through the starter's links to them. Throws if that is impossible, and then
 * leaves nothing open.
 */
export function toChild({ pid, pipes, exited }: StartedProcess, starter: number): Child {
  const [stdout = -1, stderr = -1, input] = pipes;
  const opened: Socket[] = [];
  try {
    opened.push(openPipe(starter, stdout, "read"), openPipe(starter, stderr, "read"));
    if (input !== undefined) opened.push(openPipe(starter, input, "write"));
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  }
  const [out, error, stdin = null] = opened;
  stdin?.on("error", () => {});
  return {
    pid,
    stdin,
    outputs: { ...(out && { stdout: out }), ...(error && { stderr: error }) },
    onExit: (listener) => void exited.then(listener),
    write: (text) => stdin?.write(text),
    resize: () => {},
  };
}

/**
 * Whether the starter's pipes can be opened through its links, and can be streams here: Deno makes
 * none from a descriptor, and Bun makes one that waits forever for a connection.
 */
export function canOpenPipe(starter: number, fd: number): boolean {
  try {
    const socket = openPipe(starter, fd, "nothing");
    const { pending } = socket;
    socket.destroy();
    return !pending;
  } catch {
    return false;
  }
}

function openPipe(starter: number, fd: number, use: "read" | "write" | "nothing"): Socket {
  const mode = use === "write" ? constants.O_WRONLY : constants.O_RDONLY;
  const own = openSync(toLink(starter, fd), mode | constants.O_NONBLOCK);
  try {
    return new Socket({ fd: own, readable: use === "read", writable: use === "write" });
  } catch (error) {
    closeSync(own);
    throw error;
  }
}

function toLink(starter: number, fd: number): string {
  return `/proc/${starter}/fd/${fd}`;
}
