import { createServer, type Server, type Socket } from "node:net";

/** The socket that a process listens on in its own network, and that it hands over to us. */
export interface HandedListener {
  /** Takes the socket, as a channel of Node (`ipc`) gives it; any other one after the first is closed. */
  readonly take: (handle: unknown) => void;
  readonly close: () => void;
}

/** `accept` gets each connection, made with `allowHalfOpen`, until it is closed. */
export function awaitListener(accept: (socket: Socket) => void): HandedListener {
  let server: Server | null = null;
  let isClosed = false;
  return {
    take(handle) {
      if (server !== null || isClosed) {
        closeHandle(handle);
        return;
      }
      server = createServer({ allowHalfOpen: true }, accept);
      // Without it, commands only find their door shut.
      server.on("error", () => {});
      server.listen(handle).unref();
    },
    close() {
      isClosed = true;
      server?.close();
    },
  };
}

function closeHandle(handle: unknown): void {
  if (typeof handle !== "object" || handle === null || !("close" in handle)) return;
  if (typeof handle.close === "function") handle.close();
}

/**
 * The marker of the process that a message with a handle is of; null: it is no such message. A
 * process sends one line, `{"cmd":"NODE_HANDLE","type":"net.Native","msg":{"marker":"…"}}`, with the
 * socket beside it (SCM_RIGHTS): Node knows no other way to take a descriptor.
 */
export function readOffer(message: unknown): string | null {
  if (typeof message !== "object" || message === null || !("marker" in message)) return null;
  return typeof message.marker === "string" ? message.marker : null;
}
