import { Duplex } from "node:stream";

/** An HTTP request as it came over a socket. */
export interface ArrivedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The server's end of a socket. */
export interface ServedSocket {
  /** Whether the client still listens. */
  readonly isOpen: boolean;
  send(bytes: Uint8Array): void;
  /** Closes it: properly, or by a reset. */
  end(): void;
  reset(): void;
}

/** The client's end of a connection without a network: what it writes is read as HTTP/1.1 by `serve`. */
export class SimulatedSocket extends Duplex {
  /** `node:http` reads this field of a socket. */
  connecting = false;
  readonly #serve: (request: ArrivedRequest, socket: ServedSocket) => void;
  #received: Buffer = Buffer.alloc(0);

  constructor(serve: (request: ArrivedRequest, socket: ServedSocket) => void) {
    super({ allowHalfOpen: false, autoDestroy: true });
    this.#serve = serve;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    done();
    for (let taken = this.#take(); taken !== null; taken = this.#take()) this.#serve(taken, this.#served());
  }

  /** As of `net.Socket`; there is no real time here. */
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroySoon(): void {
    this.destroy();
  }

  #take(): ArrivedRequest | null {
    if (this.#received.length === 0) return null;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return null;
    const [first = "", ...lines] = this.#received.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    const length = Number(headers["content-length"] ?? 0);
    if (this.#received.length < end + 4 + length) return null;
    const body = this.#received.subarray(end + 4, end + 4 + length);
    this.#received = this.#received.subarray(end + 4 + length);
    return { method: first.slice(0, first.indexOf(" ")), headers, body };
  }

  #served(): ServedSocket {
    const isOpen = (): boolean => !this.destroyed;
    return {
      get isOpen() {
        return isOpen();
      },
      send: (bytes) => void (isOpen() && this.push(bytes)),
      end: () => void (isOpen() && this.push(null)),
      reset: () =>
        void this.destroy(
          Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", errno: -104, syscall: "read" }),
        ),
    };
  }
}
