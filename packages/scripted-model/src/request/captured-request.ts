import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";

/** Bytes that later requests of the same thread lengthen: what is there never changes. */
export interface SharedBytes {
  bytes: Buffer;
}

/** Where a captured body lies: the first `length` shared bytes, then `tail`. */
export interface BodyPlace {
  readonly shared: SharedBytes;
  readonly length: number;
  readonly tail: Buffer;
}

/**
 * A request as it came. Requests that extend each other share their bytes, so a thread's requests take no more memory
 * than its last one; the body is joined and parsed each time it is asked for.
 */
export class CapturedRequest {
  /** Which request of its endpoint, counted from 0. */
  readonly index: number;
  readonly headers: IncomingHttpHeaders;
  /** When its last byte came, by the server's clock, in ms. */
  readonly receivedAt: number;
  readonly #place: BodyPlace;

  constructor(arrival: Pick<CapturedRequest, "index" | "headers" | "receivedAt">, place: BodyPlace) {
    this.index = arrival.index;
    this.headers = arrival.headers;
    this.receivedAt = arrival.receivedAt;
    this.#place = place;
  }

  /** The body, byte for byte. */
  get raw(): Buffer {
    const { shared, length, tail } = this.#place;
    return Buffer.concat([shared.bytes.subarray(0, length), tail]);
  }

  /** The parsed body; empty when it is not a JSON object. Throws SyntaxError when it is not JSON. */
  get body(): JsonObject {
    const body = parseJson(this.raw.toString("utf8"));
    return isJsonObject(body) ? body : {};
  }

  /** The items of `input`; empty when it is not an array. */
  get input(): readonly JsonObject[] {
    const { input } = this.body;
    return Array.isArray(input) ? input.filter(isJsonObject) : [];
  }
}
