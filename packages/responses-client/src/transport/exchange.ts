import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { Clock } from "@unroll/flow";
import {
  createAbortFailure,
  createCutFailure,
  createEncodingFailure,
  createTimeoutFailure,
  type Target,
  toDecodingFailure,
  toNetworkFailure,
  type TimeoutCode,
} from "../failure/network-failure.ts";
import type { RequestFailure } from "../failure/request-failure.ts";
import type { Connector } from "./connections.ts";
import { decodeBody } from "./decode-body.ts";

export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Written as they are, one after the other. Null: a GET. */
  readonly body: readonly Uint8Array[] | null;
}

export interface ExchangeContext {
  readonly connector: Connector;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** The head of an answer, and its body as it is asked for. End it with `release` or `destroy`, whatever happens. */
export interface Answer {
  /** The responding host, for messages. */
  readonly host: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The next bytes, null at the end. Throws a `RequestFailure` where the answer was cut, the signal was aborted, or the reads
   * since the last `renew` waited `patienceMs` in all: single bytes keep no answer alive.
   */
  read(patienceMs: number): Promise<Uint8Array | null>;
  /** Call it when an event or comment is complete: the next read has its whole patience again. */
  renew(): void;
  /** Nothing more is wanted: the connection is kept if the answer promptly ends by itself, else it is closed. */
  release(): void;
  /** Closes the connection. After `release` or the end of the answer it does nothing. */
  destroy(): void;
}

/** Data read from a response: bytes, or null for its end. */
interface Taken {
  readonly chunk: Uint8Array | null;
}

/** How long a finished answer may take to end by itself: its last event and its end rarely share a packet. */
const promptlyMs = 1000;

/**
 * Sends a request and waits for the head of its answer. Throws a `RequestFailure` where none came in time, or the signal
 * was aborted. A connection that turns out to be dead when it is used again is replaced at once.
 */
export async function openExchange(request: HttpRequest, context: ExchangeContext): Promise<Answer> {
  const first = new Exchange(request, context);
  try {
    return await first.open();
  } catch (error) {
    if (!first.wasStale) throw error;
    return new Exchange(request, context).open();
  }
}

/** One request and its response. The callbacks of node:http only record events and wake waiting code. */
class Exchange implements Answer {
  readonly #request: HttpRequest;
  readonly #context: ExchangeContext;
  #outgoing: ClientRequest | null = null;
  #socket: Duplex | null = null;
  #response: IncomingMessage | null = null;
  /** The decoded response. Null before it arrives, and if its encoding is unknown. */
  #body: Readable | null = null;
  #failure: RequestFailure | null = null;
  #isOver = false;
  /** In ms: of the reads since the last `renew`. */
  #waitedMs = 0;
  #disarm = (): void => {};
  #wake = (): void => {};

  constructor(request: HttpRequest, context: ExchangeContext) {
    this.#request = request;
    this.#context = context;
  }

  async open(): Promise<Answer> {
    const { signal, connectTimeoutMs } = this.#context;
    if (signal.aborted) throw createAbortFailure(this.host);
    signal.addEventListener("abort", this.#onAbort);
    this.#arm("connect_timeout", connectTimeoutMs);
    try {
      this.#send();
      await this.#until(() => this.#response);
      return this;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  get host(): string {
    return this.#request.url.host;
  }

  get #target(): Target {
    return { host: this.host, proxy: this.#context.connector.proxy };
  }

  get status(): number {
    return this.#response?.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#response?.headers ?? {};
  }

  /** Whether it failed because the server had closed a kept connection: no sign that the server is in trouble. */
  get wasStale(): boolean {
    return this.#failure?.error.code === "connection_failed" && this.#outgoing?.reusedSocket === true;
  }

  async read(patienceMs: number): Promise<Uint8Array | null> {
    if (this.#body === null) throw createEncodingFailure(this.host, this.headers["content-encoding"]);
    const taken = this.#take();
    if (taken !== null) return taken.chunk;
    const { clock } = this.#context;
    const since = clock.elapsed();
    const leftMs = patienceMs - this.#waitedMs;
    if (leftMs <= 0) throw createTimeoutFailure("idle_timeout", patienceMs, this.#target);
    this.#arm("idle_timeout", patienceMs, leftMs);
    const { chunk } = await this.#until(() => this.#take());
    this.#waitedMs += clock.elapsed() - since;
    return chunk;
  }

  renew(): void {
    this.#waitedMs = 0;
  }

  release(): void {
    const response = this.#response;
    if (response === null || !this.#finish()) return;
    const cancel = this.#context.clock.setTimer(promptlyMs, () => this.#outgoing?.destroy());
    response.once("close", cancel);
    (this.#body ?? response).removeAllListeners("readable").resume();
  }

  destroy(): void {
    if (!this.#finish()) return;
    if (this.#body !== this.#response) this.#body?.destroy();
    if (this.#response?.readableEnded === true) return;
    this.#outgoing?.destroy();
    this.#socket?.destroy();
  }

  #send(): void {
    const { url, headers, body } = this.#request;
    const outgoing = this.#begin(url, { method: body === null ? "GET" : "POST", headers });
    outgoing.once("socket", (socket) => {
      const onConnected = (): void => this.#arm("first_byte_timeout", this.#context.firstByteTimeoutMs);
      if (socket.connecting) socket.once("encrypted" in socket ? "secureConnect" : "connect", onConnected);
      else onConnected();
    });
    outgoing.once("response", (response) => this.#receive(response));
    outgoing.on("error", (error) =>
      this.#fail(this.#response ? createCutFailure(url.host, error) : toNetworkFailure(error, this.#target)),
    );
    for (const chunk of body ?? []) outgoing.write(chunk);
    outgoing.end();
  }

  #begin(url: URL, options: RequestOptions): ClientRequest {
    try {
      this.#outgoing = this.#context.connector.begin(url, options, (socket) => (this.#socket = socket));
      return this.#outgoing;
    } catch (error) {
      throw toNetworkFailure(error, this.#target); // a header that HTTP cannot carry, a protocol that is not HTTP
    }
  }

  #receive(response: IncomingMessage): void {
    this.#response = response;
    const onCut = (cause?: Error): void => this.#fail(createCutFailure(this.host, cause));
    response.on("error", onCut);
    const body = decodeBody(response);
    body?.on("readable", () => this.#wake()).once("end", () => this.#wake());
    if (body !== response) body?.on("error", (error) => this.#fail(toDecodingFailure(error, this.host)));
    this.#body = body;
    response.once("close", () => {
      if (!response.readableEnded) onCut(); // after the end of the answer nobody asks any more
    });
    this.#wake();
  }

  /** The data that has arrived, even after the connection broke; null: none. */
  #take(): Taken | null {
    const chunk: unknown = this.#body?.read();
    if (chunk instanceof Uint8Array) return { chunk };
    return this.#body?.readableEnded === true ? { chunk: null } : null;
  }

  async #until<T>(poll: () => T | null): Promise<T> {
    try {
      for (;;) {
        const found = poll();
        if (found !== null) return found;
        if (this.#failure !== null) throw this.#failure;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#disarm();
    }
  }

  /** `leftMs` of `limitMs` are left. */
  #arm(code: TimeoutCode, limitMs: number, leftMs = limitMs): void {
    this.#disarm();
    if (this.#isOver) return;
    const fail = (): void => this.#fail(createTimeoutFailure(code, limitMs, this.#target));
    this.#disarm = this.#context.clock.setTimer(leftMs, fail);
  }

  readonly #onAbort = (): void => this.#fail(createAbortFailure(this.host));

  #fail(failure: RequestFailure): void {
    this.#failure ??= failure;
    this.destroy();
    this.#wake();
  }

  /** False when it was over before. */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#disarm();
    this.#context.signal.removeEventListener("abort", this.#onAbort);
    return true;
  }
}
